/// What a test has the compositor do with dmabufs, and what it sees of them.
extension ScriptedCompositor {
  /// What dmabufs are said to be taken. Setting it tells every client that listens, also when nothing changed.
  public var dmabufAdvice: DmabufAdvice {
    get { look(\.dmabuf.advice) }
    set {
      script { core in
        core.dmabuf.advice = newValue
        core.dmabuf.tellAll()
      }
    }
  }

  /// Tells every client that listens the same again.
  public func repeatDmabufAdvice() { script { $0.dmabuf.tellAll() } }

  /// What imports are answered from now on.
  public var imports: ImportPolicy {
    get { look(\.dmabuf.imports) }
    set { script { $0.dmabuf.imports = newValue } }
  }

  /// Answers imports that were withheld.
  public func answerImports(created: Bool) { script { $0.dmabuf.answerImports(created: created) } }

  /// Objects through which clients listen to advice.
  public var dmabufListeners: Int { look(\.dmabuf.listenerCount) }
}
