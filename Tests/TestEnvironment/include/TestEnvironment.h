// TestEnvironment has no functions: it acts when it is loaded.
