import Entities
import Terminal

/// Writes the answer to a query in the format that was asked for, or that suits the output.
struct RowOutput {
  static let options = [
    OptionDefinition(
      "--format", value: "F", choices: OutputFormat.allCases.map(\.rawValue),
      OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
        + "; else a table on a terminal and TSV elsewhere"),
    OptionDefinition("--json", "the same as --format json"),
    OptionDefinition("--csv", "the same as --format csv"),
    OptionDefinition("--no-header", "leave out the names of the columns"),
    OptionDefinition("--null", short: "-0", "end each row of TSV or CSV with a zero byte"),
    OptionDefinition("--no-pager", "never start a pager"),
  ]

  let format: OutputFormat
  /// True where the user chose no columns, so that a narrow screen may go without the last of them.
  var mayLeaveOutColumns = false
  private let context: CommandContext

  init(_ context: CommandContext) throws {
    self.context = context
    let arguments = context.arguments
    var chosen = arguments["--format"].flatMap { OutputFormat(rawValue: $0) }
    for (option, format) in [("--json", OutputFormat.json), ("--csv", .csv)]
    where arguments.has(option) {
      if let chosen, chosen != format {
        throw CommandFailure.usage("\(option) contradicts \(chosen.rawValue)", "choose one format")
      }
      chosen = format
    }
    let hasZeroBytes = arguments.has("--null")
    if !hasZeroBytes, let path = context.session?.outputFile?.path {
      chosen = chosen ?? OutputFormat(ofFile: path)
    }
    format = chosen ?? (context.outputIsTerminal && !hasZeroBytes ? .table : .tsv)
  }

  /// Writes rows with values as they are stored, and shown for people where the format is theirs.
  func write(_ result: QueryResult, title: (ResultColumn) -> String) {
    let columns = result.columns.map { column in
      OutputColumn(
        format.isForMachines ? column.title : title(column),
        isNumeric: ValueText.isNumeric(column.kind))
    }
    let kinds = result.columns.map(\.kind)
    if format.isForMachines {
      write(
        columns,
        result.rows.lazy.map { row in
          zip(row.values, kinds).map { ValueText.output($0, $1) }
        })
    } else {
      write(columns, result.rows.map { row in shown(row, kinds, result.columns) })
    }
  }

  /// A row for people; a name that was found in another language stands behind the usual one.
  private func shown(
    _ row: ResultRow, _ kinds: [FieldKind], _ columns: [ResultColumn]
  ) -> [OutputValue] {
    var values = zip(row.values, kinds).map { ValueText.shown($0, $1) }
    if let match = row.match, let place = columns.firstIndex(where: { $0.title == "name" }),
      case .text(let name) = values[place], name != match.text
    {
      values[place] = .text("\(name) (\(match.text))")
    }
    return values
  }

  func write(_ columns: [OutputColumn], _ rows: some Sequence<[OutputValue]>) {
    let hasHeader = !context.arguments.has("--no-header")
    if format.isForMachines {
      var writer = RowWriter(
        format, columns: columns, hasHeader: hasHeader,
        terminator: context.arguments.has("--null") ? "\0" : "\n",
        isTerminal: context.outputIsTerminal)
      context.output.write(writer.head())
      for row in rows { context.output.write(writer.row(row)) }
      context.output.write(writer.tail())
      return
    }
    let rows = Array(rows)
    let printer = TablePrinter(
      columns: columns, rows: rows, styling: context.styling, hasHeader: hasHeader)
    let width = context.terminalSize?.columns
    switch format {
    case .grid:
      let count = width.map { printer.gridColumnCount(fitting: $0) } ?? columns.count
      if count == columns.count || mayLeaveOutColumns && count > 1 {
        let first = printing(first: count, columns, rows)
        context.output.write(first.grid(maximumWidth: width))
      } else {
        context.output.write(printer.lines())
      }
    case .line: context.output.write(printer.lines())
    case .markdown: context.output.write(printer.markdown())
    default:
      // Too many columns for the screen read better as a line each, unless a table was asked for.
      let isChosen = context.arguments["--format"] != nil
      let fits = isChosen || width.map { printer.fits($0) } ?? true
      if !fits, mayLeaveOutColumns, let width, let count = printer.columnCount(fitting: width) {
        context.output.write(printing(first: count, columns, rows).table(maximumWidth: width))
      } else {
        context.output.write(fits ? printer.table(maximumWidth: width) : printer.lines())
      }
    }
  }

  /// The first columns, where the screen has no room for the others.
  private func printing(
    first count: Int, _ columns: [OutputColumn], _ rows: [[OutputValue]]
  ) -> TablePrinter {
    context.leftOut = columns.dropFirst(count).map(\.name)
    return TablePrinter(
      columns: Array(columns.prefix(count)), rows: rows.map { Array($0.prefix(count)) },
      styling: context.styling, hasHeader: !context.arguments.has("--no-header"))
  }
}
