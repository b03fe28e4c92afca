public import DependencyInjection

extension DIContainer {
  /// Makes every following resolve of a type return a value that the test keeps using.
  ///
  /// ```swift
  /// let router = MockRouter()
  /// DIContainer.override(Router.self, with: router)
  /// ```
  ///
  /// The override lasts until the isolation of the test ends. Outside of one, restore a snapshot.
  ///
  /// - Parameters:
  ///   - type: The type to override; other aliases of the same registration stay as they are.
  ///   - value: What to return; it need not be `Sendable`, the test knows who uses it.
  ///   - file: The file of the override, for messages.
  ///   - line: The line of the override, for messages.
  public func override<Value>(
    _ type: Value.Type, with value: Value, file: StaticString = #fileID, line: UInt = #line
  ) {
    let value = UncheckedSendable(value: value)
    register(Shared({ () -> Value in value.value }, file: file, line: line))
  }

  /// Overrides registrations.
  ///
  /// - Parameter registrations: What to register instead.
  public func override(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    register(registrations)
  }

  /// Makes every following resolve of a type from the current container return a value that the test keeps using.
  ///
  /// - Parameters:
  ///   - type: The type to override; other aliases of the same registration stay as they are.
  ///   - value: What to return; it need not be `Sendable`, the test knows who uses it.
  ///   - file: The file of the override, for messages.
  ///   - line: The line of the override, for messages.
  public static func override<Value>(
    _ type: Value.Type, with value: Value, file: StaticString = #fileID, line: UInt = #line
  ) {
    current.override(type, with: value, file: file, line: line)
  }

  /// Overrides registrations of the current container.
  ///
  /// - Parameter registrations: What to register instead.
  public static func override(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    current.override(registrations)
  }
}

/// A value that a test hands to the container and keeps.
private struct UncheckedSendable<Value>: @unchecked Sendable {
  // Unchecked: a Shared registration hands the value to whoever asks, which is what the test wants of its mock.
  let value: Value
}
