#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Wakes an idle thread.
///
/// A condition variable in manually allocated memory. It needs no file descriptor, which a process may close or run out
/// of. Dispatch has a safer one, but importing Dispatch here makes every client of this module import its C module too
/// (Swift 6.3).
struct ThreadSignal: Sendable {
  private struct Memory {
    var mutex = pthread_mutex_t()
    var condition = pthread_cond_t()
    var isWoken = false
  }

  /// The address of the memory. An integer, because a pointer is not `Sendable`; the memory is accessed under its mutex
  /// only.
  private let address: UInt

  private var memory: UnsafeMutablePointer<Memory> {
    guard let memory = UnsafeMutablePointer<Memory>(bitPattern: address) else {
      fatalError("The memory of a signal has an address.")
    }
    return memory
  }

  init() {
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    memory.initialize(to: Memory())
    pthread_mutex_init(&memory.pointee.mutex, nil)
    pthread_cond_init(&memory.pointee.condition, nil)
    address = UInt(bitPattern: memory)
  }

  /// Wakes the current `wait`, or makes the next one return at once.
  func wake() {
    pthread_mutex_lock(&memory.pointee.mutex)
    memory.pointee.isWoken = true
    pthread_cond_signal(&memory.pointee.condition)
    pthread_mutex_unlock(&memory.pointee.mutex)
  }

  /// Blocks the thread until `wake()` is called.
  func wait() {
    pthread_mutex_lock(&memory.pointee.mutex)
    while !memory.pointee.isWoken { pthread_cond_wait(&memory.pointee.condition, &memory.pointee.mutex) }
    memory.pointee.isWoken = false
    pthread_mutex_unlock(&memory.pointee.mutex)
  }

  /// Frees the memory. The caller ensures that no other call is in progress or follows.
  func remove() {
    pthread_cond_destroy(&memory.pointee.condition)
    pthread_mutex_destroy(&memory.pointee.mutex)
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}

/// The identifier of the calling thread, unique among living threads; never zero.
func currentThread() -> UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}
