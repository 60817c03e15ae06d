// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// TestEnvironment has no functions: it acts when it is loaded.
