internal import Glibc
internal import KiteSystem
internal import Wayland

/// `zwp_linux_dmabuf_v1`: its advice, and the imports.
final class DmabufGlobal {
  private unowned let core: CompositorCore
  var advice: DmabufAdvice { didSet { former = oldValue } }
  /// What was advised before: a client may ask by it while the change is on its way.
  private var former: DmabufAdvice?
  var imports: ImportPolicy
  private var feedbacks: [ObjectIdentifier: ZwpLinuxDmabufFeedbackV1Resource] = [:]
  private var unanswered: [DmabufImport] = []

  init(_ core: CompositorCore) {
    self.core = core
    advice = core.configuration.dmabuf
    imports = core.configuration.imports
  }

  func bind(_ global: ZwpLinuxDmabufV1Resource) {
    if global.version < 4 { list(to: global) }
    global.onRequest = { [weak self] request in
      guard let self else { return }
      switch request {
      case .destroy: break
      case .createParams(let parameters): collect(parameters)
      case .getDefaultFeedback(let feedback): add(feedback)
      case .getSurfaceFeedback(let feedback, _): add(feedback)
      }
    }
  }

  /// Before version 4: all there is, once.
  private func list(to global: ZwpLinuxDmabufV1Resource) {
    for format in advice.tranches.flatMap(\.formats) {
      if global.version >= 3 {
        global.sendModifier(
          format: format.fourcc, modifierHi: UInt32(format.modifier >> 32),
          modifierLo: UInt32(truncatingIfNeeded: format.modifier))
      } else {
        global.sendFormat(format.fourcc)
      }
    }
  }

  // MARK: Advice

  /// Objects that are told of changes.
  var listenerCount: Int { feedbacks.count }

  private func add(_ feedback: ZwpLinuxDmabufFeedbackV1Resource) {
    let key = ObjectIdentifier(feedback)
    feedbacks[key] = feedback
    feedback.onDestroyed = { [weak self] in self?.feedbacks[key] = nil }
    tell(feedback)
  }

  /// Tells everybody, whether or not it is new.
  func tellAll() { for feedback in feedbacks.values { tell(feedback) } }

  private func tell(_ feedback: ZwpLinuxDmabufFeedbackV1Resource) {
    var table: [DmabufAdvice.Format] = []
    for format in advice.tranches.flatMap(\.formats) where !table.contains(format) { table.append(format) }
    sendTable(table, to: feedback)
    feedback.sendMainDevice(Self.bytes(advice.mainDevice))
    for tranche in advice.tranches {
      feedback.sendTrancheTargetDevice(Self.bytes(tranche.device))
      feedback.sendTrancheFlags(tranche.isScanout ? .scanout : [])
      let indices = tranche.formats.compactMap { table.firstIndex(of: $0) }
      feedback.sendTrancheFormats(indices.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
      feedback.sendTrancheDone()
    }
    feedback.sendDone()
  }

  private func sendTable(_ table: [DmabufAdvice.Format], to feedback: ZwpLinuxDmabufFeedbackV1Resource) {
    let byteCount = table.count * 16
    guard let memory = try? SharedMemory(byteCount: max(16, byteCount), name: "test-formats") else { return }
    for (index, format) in table.enumerated() {
      memory.baseAddress.storeBytes(of: format.fourcc, toByteOffset: index * 16, as: UInt32.self)
      memory.baseAddress.storeBytes(of: format.modifier, toByteOffset: index * 16 + 8, as: UInt64.self)
    }
    feedback.sendFormatTable(fd: memory.descriptor, size: UInt32(byteCount))
  }

  private static func bytes(_ device: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: device >> (8 * UInt64($0))) }
  }

  // MARK: Imports

  private func collect(_ parameters: ZwpLinuxBufferParamsV1Resource) {
    let collected = DmabufImport(parameters)
    // Kept by the resource's handler, as long as that lives.
    parameters.onRequest = { [weak self] request in
      switch request {
      case .destroy, .setSamplingDevice: break
      case .add(let file, let index, let offset, let stride, let high, let low):
        collected.add(
          file.take(), index: Int(index), offset: Int(offset), stride: Int(stride),
          modifier: UInt64(high) << 32 | UInt64(low))
      case .create(let width, let height, let format, _):
        self?.create(collected, width: Int(width), height: Int(height), fourcc: format)
      case .createImmed(let buffer, _, _, _, _):
        self?.core.report(.unverifiedImport, surface: nil, "create_immed of buffer \(buffer.id)")
      }
    }
  }

  private func create(_ collected: DmabufImport, width: Int, height: Int, fourcc: UInt32) {
    collected.ask(width: width, height: height, fourcc: fourcc)
    if let error = collected.mistake {
      return collected.parameters.postError(code: error.code, error.message)
    }
    core.counts.importsAsked += 1
    if !advice.contains(collected.layout), former?.contains(collected.layout) != true {
      core.report(
        .unadvisedImport, surface: nil, "a dmabuf of a format that is not advised: \(collected.layout)")
    }
    guard imports != .withheld else { return unanswered.append(collected) }
    answer(collected, isWanted: imports == .created)
  }

  /// Answers what was withheld.
  func answerImports(created: Bool) {
    let waiting = unanswered
    unanswered = []
    for collected in waiting where collected.parameters.isAlive { answer(collected, isWanted: created) }
  }

  private func answer(_ collected: DmabufImport, isWanted: Bool) {
    let parameters = collected.parameters
    guard isWanted, advice.contains(collected.layout), let content = collected.content() else {
      core.counts.importsFailed += 1
      return parameters.sendFailed()
    }
    let buffer = parameters.client.makeResource(WlBufferResource.self, version: 1)
    core.addBuffer(buffer, content, width: collected.width, height: collected.height)
    parameters.sendCreated(buffer)
  }
}
