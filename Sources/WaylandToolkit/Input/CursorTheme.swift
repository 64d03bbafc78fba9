@MainActor
final class CursorTheme {}
