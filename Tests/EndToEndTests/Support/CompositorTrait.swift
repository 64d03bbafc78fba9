import TestDisplay
import Testing

/// Runs the tests of a suite in one headless compositor, `CompositorSession.current`.
struct CompositorTrait: SuiteTrait, TestScoping {
  let kind: CompositorKind
  let width: Int
  let height: Int
  let swayConfiguration: [String]

  /// Once around the suite, not around each of its tests: a compositor takes a while to start.
  var isRecursive: Bool { false }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let session = try await CompositorSession.start(
      kind, width: width, height: height, swayConfiguration: swayConfiguration)
    do {
      try await CompositorSession.$current.withValue(session) { try await function() }
    } catch {
      await session.end()
      throw error
    }
    await session.end()
  }
}

extension Trait where Self == CompositorTrait {
  /// One compositor with one output of `width` × `height` physical pixels for all tests of the suite.
  static func compositor(_ kind: CompositorKind, _ width: Int, _ height: Int, sway lines: [String] = [])
    -> Self
  {
    CompositorTrait(kind: kind, width: width, height: height, swayConfiguration: lines)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the suite, and says what to install, where the compositor is missing.
  static func needs(_ kind: CompositorKind) -> Self {
    .enabled(if: kind.obstacle == nil, Comment(rawValue: kind.obstacle ?? "\(kind) is here"))
  }
}
