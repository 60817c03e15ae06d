internal import RIBs

/// Reduces the events of many taxis to one state.
enum FleetLogic: StreamLogic {
  struct Input {
    let news = InputPort<FleetNews>()
    let size = InputPort<ScreenSize>()
  }

  struct State {
    let picture: StateCell<FleetPicture>

    init(taxis: Int) { picture = StateCell(FleetPicture(taxis: taxis)) }
  }

  struct Output {
    let picture: OutputValue<FleetPicture>
    let news: Observable<FleetNews>
  }

  typealias Extra = Void

  static func bind(_ binding: StreamBinding<FleetLogic>) -> Output {
    let picture = binding.state.picture
    binding.input.size.subscribe(onNext: { size in
      var next = picture.value
      next.size = size
      picture.accept(next)
    }).disposed(by: binding)
    binding.input.news.subscribe(onNext: { news in picture.accept(picture.value.following(news)) })
      .disposed(by: binding)
    return Output(picture: OutputValue(picture), news: binding.input.news)
  }
}

extension FleetPicture {
  /// The state after an event.
  func following(_ news: FleetNews) -> FleetPicture {
    var next = self
    next.time = news.time
    switch news.event {
    case .began(let trip):
      next.taxis[news.taxi] = Order(number: news.order, route: trip.rider.route, since: news.time)
    case .entered(let stage):
      next.taxis[news.taxi]?.stage = stage
      next.taxis[news.taxi]?.since = news.time
    case .showed(let line): next.taxis[news.taxi]?.line = line.printable
    case .ended(let outcome):
      next.taxis[news.taxi] = nil
      switch outcome {
      case .completed(let charged):
        next.completed += 1
        next.charged = Cents(next.charged.count + charged.count)
      case .cancelled: next.cancelled += 1
      case .failed: next.failed += 1
      }
    }
    return next
  }
}

extension Rider {
  /// The pickup and the destination.
  package var route: String { "\(pickupZone ?? "here") to \(dropoffZone ?? "wherever")" }
}
