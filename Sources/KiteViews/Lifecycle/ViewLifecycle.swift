/// When a view makes, attaches, closes and detaches its renderer: the lifecycle of the view's contract.
///
/// A pure value: it takes what happened and returns what to do, in order. Players and factories are compared by identity
/// alone, renderers by their generation, so that a late answer from an old one can't be taken for the current one's.
struct ViewLifecycle<PlayerID: Hashable, FactoryID: Hashable> {
  /// What happened.
  enum Event {
    /// The view's player is another one, or none. `clears` takes the former one's last picture off the surface.
    case playerChanged(PlayerID?, clears: Bool)
    /// The factory in force (the view's own, else the default) is another one, or none.
    case factoryChanged(FactoryID?)
    /// The host is configured and the view's surface is up.
    case mapped
    /// The view's surface is gone, or about to go.
    case unmapped
    /// The surface was replaced by another one without an unmapped moment between them.
    case moved
    /// The factory made the renderer that was asked for.
    case made(generation: Int)
    /// The factory returned nothing, or threw.
    case notMade(generation: Int)
    /// A renderer can't go on.
    case failed(generation: Int)
    /// Another view took the player over.
    case displaced(generation: Int)
    /// The views that took the player over have left it.
    case resumed(generation: Int)
  }

  /// What to do now.
  enum Action: Hashable {
    /// Ask the factory for a renderer, and answer with `made` or `notMade`. `isSafe` asks for the CPU path.
    case make(generation: Int, factory: FactoryID, isSafe: Bool)
    case attach(generation: Int, player: PlayerID)
    case close(generation: Int)
    case detach(generation: Int, player: PlayerID)
    /// Take the last picture off the surface.
    case clear
  }

  private struct Attachment: Hashable {
    let generation: Int
    let player: PlayerID
    var isDisplaced = false
    /// It failed while another view showed: an attach now would take the player from that one.
    var hasFailed = false
  }

  private enum Renderer: Hashable {
    case none
    /// The factory gave none, or the safest one failed: nothing is asked for until something changes.
    case refused
    case wanted(generation: Int)
    case attached(Attachment)
  }

  private var player: PlayerID?
  private var factory: FactoryID?
  private var isMapped = false
  private var renderer = Renderer.none
  private var generations = 0

  /// Whether a renderer failed on this surface, so that only the CPU path is asked for.
  private(set) var isSafe = false

  /// The lifecycle of a view without player, factory and surface.
  init() {}

  /// The generation whose renderer is attached, if one is.
  var attachedGeneration: Int? { attachment?.generation }

  /// The generation that the factory is being asked for, if one is.
  var wantedGeneration: Int? {
    if case .wanted(let generation) = renderer { generation } else { nil }
  }

  /// Whether another view shows the player.
  var isDisplaced: Bool { attachment?.isDisplaced ?? false }

  private var attachment: Attachment? {
    if case .attached(let attachment) = renderer { attachment } else { nil }
  }

  /// Takes what happened and returns what to do, in order. An event that changes nothing returns nothing.
  mutating func event(_ event: Event) -> [Action] {
    switch event {
    case .playerChanged(let new, let clears):
      guard new != player else { return [] }
      let teardown = tearDown()
      player = new
      return teardown + (clears && isMapped ? [.clear] : []) + makeIfPossible()
    case .factoryChanged(let new):
      guard new != factory else { return [] }
      let teardown = tearDown()
      factory = new
      isSafe = false
      return teardown + makeIfPossible()
    case .mapped:
      guard !isMapped else { return [] }
      isMapped = true
      return makeIfPossible()
    case .unmapped:
      guard isMapped else { return [] }
      isMapped = false
      isSafe = false
      return tearDown()
    case .moved:
      guard isMapped else { return [] }
      isSafe = false
      return tearDown() + makeIfPossible()
    case .made(let generation):
      return made(generation)
    case .notMade(let generation):
      if renderer == .wanted(generation: generation) { renderer = .refused }
      return []
    case .failed(let generation):
      return failed(generation)
    case .displaced(let generation):
      if var attachment, attachment.generation == generation {
        attachment.isDisplaced = true
        renderer = .attached(attachment)
      }
      return []
    case .resumed(let generation):
      return resumed(generation)
    }
  }

  private mutating func made(_ generation: Int) -> [Action] {
    guard renderer == .wanted(generation: generation), let player else {
      // It was asked for by a state that has passed.
      return [.close(generation: generation)]
    }
    renderer = .attached(Attachment(generation: generation, player: player))
    return [.attach(generation: generation, player: player)]
  }

  private mutating func failed(_ generation: Int) -> [Action] {
    guard var attachment, attachment.generation == generation, !attachment.hasFailed else { return [] }
    guard !attachment.isDisplaced else {
      attachment.hasFailed = true
      renderer = .attached(attachment)
      return []
    }
    return rebuildSafely()
  }

  private mutating func resumed(_ generation: Int) -> [Action] {
    guard var attachment, attachment.generation == generation, attachment.isDisplaced else { return [] }
    guard !attachment.hasFailed else { return rebuildSafely() }
    attachment.isDisplaced = false
    renderer = .attached(attachment)
    return []
  }

  private mutating func rebuildSafely() -> [Action] {
    let teardown = tearDown()
    guard !isSafe else {
      // The safest path failed as well: wait for something to change.
      renderer = .refused
      return teardown
    }
    isSafe = true
    return teardown + makeIfPossible()
  }

  /// Close comes before detach: a closed renderer takes no frame that the player sends until it has let go.
  private mutating func tearDown() -> [Action] {
    defer { renderer = .none }
    guard let attachment else { return [] }
    return [
      .close(generation: attachment.generation),
      .detach(generation: attachment.generation, player: attachment.player),
    ]
  }

  private mutating func makeIfPossible() -> [Action] {
    guard isMapped, player != nil, let factory else { return [] }
    generations += 1
    renderer = .wanted(generation: generations)
    return [.make(generation: generations, factory: factory, isSafe: isSafe)]
  }
}
