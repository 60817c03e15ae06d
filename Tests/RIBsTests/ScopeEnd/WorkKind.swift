// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

/// A way to start bound work.
struct WorkKind: Sendable, Hashable, CustomStringConvertible {
  enum Form: String, CaseIterable, Sendable {
    case task, run, preparing, slices
    case workerTask = "task of a worker"
    case workerRun = "run of a worker"
    case firstStep = "first step of a workflow"
    case secondStep = "second step of a workflow"
    case listUpdate = "requested update of a list"
    case page = "page of a pager"
    case pause = "pause before a restart"
  }

  let form: Form
  /// The policy, if the work has a name.
  var overlap: BoundWork.OverlapPolicy?
  /// Whether the operation has a capture list, which makes it leave the tree's actor before its first step (Swift 6.3).
  var hasCaptureList = false

  var isWorkflow: Bool { form == .firstStep || form == .secondStep }
  var isOfWorker: Bool { form == .workerTask || form == .workerRun }
  /// Whether the operation runs off the tree, and a handler on it.
  var isAway: Bool { form == .run || form == .workerRun || form == .preparing }
  /// Whether the form that starts the work has a handle.
  var hasHandle: Bool { [.task, .run, .preparing, .slices, .workerTask, .workerRun].contains(form) }
  /// Whether the form that starts the work has a timeout.
  var takesTimeout: Bool {
    [.task, .run, .workerTask, .workerRun, .firstStep, .secondStep].contains(form)
  }

  var description: String {
    form.rawValue + (overlap.map { ", named, \($0)" } ?? "") + (hasCaptureList ? ", with a capture list" : "")
  }

  static let all: [WorkKind] = Form.allCases.flatMap { form -> [WorkKind] in
    let hasOperation = [.task, .workerTask, .firstStep, .secondStep].contains(form)
    let captures = hasOperation ? [false, true] : [false]
    let isNamed = [.task, .run, .preparing, .workerTask, .workerRun].contains(form)
    let overlaps: [BoundWork.OverlapPolicy?] =
      isNamed ? [nil, .ignoreWhileRunning, .cancelPrevious, .enqueue, .concurrent] : [nil]
    return captures.flatMap { hasCaptureList in
      overlaps.map { WorkKind(form: form, overlap: $0, hasCaptureList: hasCaptureList) }
    }
  }
}

/// When a scope ends, as seen by its work.
enum WorkMoment: String, CaseIterable, Sendable {
  case queued = "while it waits for other work of its name"
  case admitted = "before its first step, when the work that it waited for has ended"
  case unbegun = "before its first step"
  case suspended = "at a suspension"
  case returned = "between its result and its handler"
  case handled = "in its handler"
}

/// What ends a scope, or the work alone.
enum WorkEnd: String, CaseIterable, Sendable {
  case detach = "detached"
  case parentDetach = "parent detached"
  case deactivation = "deactivated by hand"
  case endOfTree = "tree ended"
  case shutdown = "host shut down"
  case drop = "tree dropped, as the host of a tree does"
  case supersession = "superseded"
  case cancellation = "cancelled by its handle or its caller"
  case cancellationByKey = "cancelled by its key"
  case timeout = "timed out"
  case disposal = "workflow or pager disposed of, or place of the child removed"
  case stop = "worker stopped"
}

/// Work at a moment, and what ends it then.
struct WorkCase: Sendable, CustomTestStringConvertible {
  let kind: WorkKind
  let moment: WorkMoment
  let end: WorkEnd

  var testDescription: String { "\(kind) | \(moment.rawValue) | \(end.rawValue)" }

  static let all: [WorkCase] = WorkKind.all.flatMap { kind in
    moments(of: kind).flatMap { moment in
      ends(of: kind, at: moment).map { WorkCase(kind: kind, moment: moment, end: $0) }
    }
  }

  private static func moments(of kind: WorkKind) -> [WorkMoment] {
    WorkMoment.allCases.filter { moment in
      switch moment {
      case .queued, .admitted: kind.overlap == .enqueue
      case .unbegun, .handled: true
      case .suspended: kind.form != .listUpdate
      case .returned: kind.isAway || kind.form == .firstStep
      }
    }
  }

  private static func ends(of kind: WorkKind, at moment: WorkMoment) -> [WorkEnd] {
    WorkEnd.allCases.filter { end in
      switch end {
      case .detach, .parentDetach, .deactivation, .endOfTree, .drop: true
      case .shutdown: false
      case .supersession: kind.overlap != nil || kind.form == .page
      case .cancellationByKey: kind.overlap != nil
      case .cancellation: kind.hasHandle
      case .timeout:
        // The time counts from the start of the work, and the first step comes before the timer.
        switch moment {
        case .queued, .admitted, .unbegun: false
        case .suspended, .handled: kind.takesTimeout
        // The time of a step is over when the step has returned.
        case .returned: kind.takesTimeout && kind.isAway
        }
      case .disposal: kind.isWorkflow || kind.form == .page || kind.form == .pause
      case .stop: kind.isOfWorker
      }
    }
  }
}
