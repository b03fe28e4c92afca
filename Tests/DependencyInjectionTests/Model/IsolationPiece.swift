/// A container of the isolation model; its copies have the same tag.
final class IsolationTag: Sendable, CustomStringConvertible {
  let description: String
  private let parent: IsolationTag?

  init(_ description: String, parent: IsolationTag? = nil) {
    self.description = description
    self.parent = parent
  }

  /// Returns whether this is the given one, or below it.
  func isAtOrBelow(_ other: IsolationTag) -> Bool { sequence(first: self, next: \.parent).contains { $0 === other } }
}

/// A copy that `withOverrides` has made, or the containers themselves, which are a copy of nothing.
final class IsolationCopy: Sendable, CustomStringConvertible {
  private let number: Int
  private let original: IsolationCopy?

  /// The keys of its overrides.
  private let keys: Set<Int>

  /// What has been registered after this moment elsewhere is not in the copy.
  private let end = Monitor(Int.max)

  init(number: Int = 0, of original: IsolationCopy? = nil, overriding keys: Set<Int> = []) {
    (self.number, self.original, self.keys) = (number, original, keys)
  }

  var description: String { original == nil ? "" : " of copy \(number)" }

  /// Notes that the copy has been made.
  func close(at moment: Int) { end.change { $0 = moment } }

  /// Why a registration cannot be found in this copy.
  func fault(of registration: IsolationRegistration) -> String? {
    var next: IsolationCopy? = self
    while let copy = next {
      if registration.copy === copy { return nil }
      if copy.keys.contains(registration.spec.key) { return "which copy \(copy.number) overrides" }
      if registration.number > copy.end.change({ $0 }) {
        return "which was registered only after copy \(copy.number) had been made"
      }
      next = copy.original
    }
    return "which is registered in another copy"
  }
}

/// A container, or a level of a copy.
struct IsolationPlace: Sendable, CustomStringConvertible {
  let copy: IsolationCopy
  let container: IsolationTag

  var description: String { "\(container)\(copy)" }

  func isSame(as other: IsolationPlace) -> Bool { copy === other.copy && container === other.container }

  /// Why an instance cannot be the answer to a request from here.
  func fault(of piece: IsolationPiece) -> String? {
    let registration = piece.registration
    guard piece.place.copy === copy else { return "which is made for \(piece.place), outside of \(self)" }
    guard container.isAtOrBelow(piece.place.container) else {
      return "which is made for \(piece.place), and that is not above \(self)"
    }
    guard container.isAtOrBelow(registration.container) else {
      return "which is registered in \(registration.container), and that is not above \(self)"
    }
    let home = registration.spec.life.isOfOwner ? registration.container : container
    guard piece.place.container === home else { return "which is made for \(piece.place), and not for \(home)" }
    return copy.fault(of: registration)
  }
}

/// Something that has been registered.
final class IsolationRegistration: Sendable {
  /// Higher than that of everything that has been registered before.
  let number: Int
  let spec: IsolationSpec
  let container: IsolationTag
  let copy: IsolationCopy

  init(_ number: Int, _ spec: IsolationSpec, in container: IsolationTag, _ copy: IsolationCopy) {
    (self.number, self.spec, self.container, self.copy) = (number, spec, container, copy)
  }
}

/// What is known of an instance.
final class IsolationPiece: Sendable, CustomStringConvertible {
  let number: Int
  let registration: IsolationRegistration

  /// The container that was current while it was created.
  let place: IsolationPlace
  let parts: IsolationParts

  /// What it resolves when somebody uses it.
  let later: [IsolationLater]

  init(
    _ number: Int, _ registration: IsolationRegistration, at place: IsolationPlace, _ parts: IsolationParts,
    later: [IsolationLater]
  ) {
    (self.number, self.registration, self.place, self.parts, self.later) = (number, registration, place, parts, later)
  }

  var description: String {
    "instance \(number) (\(registration.spec.life) for key \(registration.spec.key), "
      + "registered in \(registration.container)\(registration.copy), made for \(place))"
  }
}

/// What an instance holds; other threads may add to it.
final class IsolationParts: Sendable {
  struct Part: Sendable {
    let found: IsolationFound
    let way: IsolationWay
  }

  private let parts = Monitor<[Part]>([])

  var all: [Part] { parts.change { $0 } }

  func add(_ found: IsolationFound, by way: IsolationWay) {
    parts.change { parts in
      if parts.contains(where: { $0.found.piece === found.piece }) { return }
      parts.append(Part(found: found, way: way))
    }
  }
}

/// An instance that somebody has got.
struct IsolationFound: Sendable {
  let piece: IsolationPiece

  /// Keeps it alive.
  private let instance: any Sendable & AnyObject

  init<Marker>(_ instance: IsolationInstance<Marker>) {
    piece = instance.piece
    self.instance = instance
  }
}

/// Something that an instance resolves when somebody uses it.
struct IsolationLater: Sendable {
  let way: IsolationWay

  /// Whether it resolves that from where it was created, and then holds it; otherwise, from where the caller is.
  let isOwn: Bool
  let resolve: @Sendable () throws -> IsolationFound
}

/// What the registrations of the isolation model create: a type for each key.
final class IsolationInstance<Marker>: Sendable {
  let piece: IsolationPiece
  init(_ piece: IsolationPiece) { self.piece = piece }
}
