/// A calendar date and time in seconds, without a time zone.
struct Timestamp: Hashable, Sendable {
  /// The seconds since the start of the year 0 of the Gregorian calendar.
  let seconds: Int

  /// Parses `YYYY-MM-DD hh:mm:ss`; nil for any other text or an invalid date.
  init?(_ text: some Collection<UInt8>) {
    let text = Array(text)
    guard text.count == 19, Timestamp.hasSeparators(text),
      let year = Timestamp.number(text[0..<4]), let month = Timestamp.number(text[5..<7]),
      let day = Timestamp.number(text[8..<10]), let hour = Timestamp.number(text[11..<13]),
      let minute = Timestamp.number(text[14..<16]), let second = Timestamp.number(text[17..<19]),
      (1...12).contains(month), (1...Timestamp.days(in: month, of: year)).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    let months = (1..<month).reduce(0) { $0 + Timestamp.days(in: $1, of: year) }
    let leapDays = year == 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
    let days = year * 365 + leapDays + months + day - 1
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func hasSeparators(_ text: [UInt8]) -> Bool {
    text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-") && text[10] == UInt8(ascii: " ")
      && text[13] == UInt8(ascii: ":") && text[16] == UInt8(ascii: ":")
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
