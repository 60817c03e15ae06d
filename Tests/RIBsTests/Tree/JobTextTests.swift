import Testing

@testable import RIBs

@Suite("The description of a job")
struct JobTextTests {
  @Test("tells a job of a task from one that drains an actor's queue")
  func usable() throws {
    let (task, drain) = (try #require(JobProbe.jobs.task), try #require(JobProbe.jobs.drain))
    #expect(JobText.namesTask(task.text))
    #expect(!JobText.namesTask(drain.text))
    #expect(JobText.isUsable)
  }

  @Test(
    "is not used if it is the same for both, or says it in another way",
    arguments: [
      (task: "Job(id: nil)", drain: "Job(id: nil)"), (task: "Job", drain: "Job"),
      (task: "Job(id: 7)", drain: "Job(id: 0)"),
      (task: "Job(id: nil)", drain: "Job(id: 7)"), (task: "Job(id: 7)", drain: nil), (task: nil, drain: nil),
    ] as [(task: String?, drain: String?)])
  func unusable(task: String?, drain: String?) {
    #expect(!JobText.isUsable(task: task, drain: drain))
  }
}
