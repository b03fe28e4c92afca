internal import Foundation

/// What else keeps the machine busy.
enum SystemLoad {
  /// How many processes could have used a core, on average over the last minute; nil if the system does not say.
  static var current: Double? {
    var average = 0.0
    return unsafe getloadavg(&average, 1) == 1 ? average : nil
  }
}
