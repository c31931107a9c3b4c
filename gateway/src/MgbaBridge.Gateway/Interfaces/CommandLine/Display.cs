using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using MgbaBridge.Client.Protocol;
using Spectre.Console;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>Writes results: as JSON, or as text for people. Redirected output has no colors and no line breaks in rows.</summary>
internal sealed class Display(TextWriter output, bool isTerminal, bool isJson)
{
    /// <summary><c>--json</c>.</summary>
    public static Option<bool> JsonOption { get; } = new("--json") { Description = "Write the response as JSON" };

    /// <summary>The display for a command line.</summary>
    public Display(ParseResult result)
        : this(result.InvocationConfiguration.Output, !Console.IsOutputRedirected, result.GetResult(JsonOption) is not null && result.GetValue(JsonOption))
    {
    }

    /// <summary>Whether the output is a terminal.</summary>
    public bool IsTerminal => isTerminal;

    /// <summary>Whether JSON is requested.</summary>
    public bool IsJson => isJson;

    /// <summary>Adds <c>--json</c>.</summary>
    public static void AddOptionsTo(Command command) => command.Add(JsonOption);

    /// <summary>Text without control characters, which a terminal could obey, and marks of direction.</summary>
    public static string Plain(string text) => EscapedText.Of(text);

    /// <summary>Writes a line.</summary>
    public void Line(string text) => output.WriteLine(text);

    /// <summary>Writes a value: JSON as it is, or for people names and values, and tables for lists of objects.</summary>
    public void Value(JsonElement value)
    {
        if (isJson)
        {
            output.WriteLine(value.GetRawText());
        }
        else
        {
            Text(value, "");
        }
    }

    /// <summary>Writes a table. Columns without any text are left out.</summary>
    public void Table(IReadOnlyList<string> columns, IReadOnlyList<string[]> rows, string indent = "")
    {
        if (rows.Count == 0)
        {
            output.WriteLine($"{indent}none");
            return;
        }

        int[] used = [.. Enumerable.Range(0, columns.Count).Where(column => rows.Any(row => row[column].Length > 0))];
        var table = new Table { Border = isTerminal ? TableBorder.Rounded : TableBorder.None, ShowHeaders = true };
        foreach (var column in used)
        {
            table.AddColumn(new TableColumn(new Text(columns[column])) { NoWrap = !isTerminal, Padding = new Padding(isTerminal ? 1 : 0, 0, isTerminal ? 1 : 2, 0) });
        }

        foreach (var row in rows)
        {
            table.AddRow(used.Select(column => new Text(Plain(row[column]))));
        }

        using var text = new StringWriter();
        var console = ConsoleOf(text);
        console.Profile.Width = isTerminal ? Math.Max(Console.WindowWidth, 40) : short.MaxValue;
        console.Write(table);
        foreach (var line in text.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            output.WriteLine(indent + line.TrimEnd());
        }
    }

    /// <summary>Runs work that has parts. In a terminal a bar shows how many have ended.</summary>
    /// <param name="parts">How many parts there are.</param>
    /// <param name="work">The work: it writes lines with the first function, and calls the second when a part has ended.</param>
    public async Task<T> WithProgressAsync<T>(int parts, Func<Action<string>, Action, Task<T>> work)
    {
        if (!isTerminal || isJson)
        {
            return await work(Line, static () => { });
        }

        var console = ConsoleOf(output);
        return await console.Progress().AutoClear(true).Columns(new ProgressBarColumn(), new TaskDescriptionColumn(), new ElapsedTimeColumn()).StartAsync(async context =>
        {
            var task = context.AddTask("", maxValue: parts);
            return await work(console.WriteLine, () =>
            {
                task.Increment(1);
                task.Description = string.Create(CultureInfo.InvariantCulture, $"{task.Value} of {Math.Max(task.Value, parts)}");
            });
        });
    }

    private IAnsiConsole ConsoleOf(TextWriter writer) => AnsiConsole.Create(new AnsiConsoleSettings
    {
        Ansi = isTerminal ? AnsiSupport.Detect : AnsiSupport.No,
        ColorSystem = isTerminal ? ColorSystemSupport.Detect : ColorSystemSupport.NoColors,
        Interactive = isTerminal && writer == output ? InteractionSupport.Detect : InteractionSupport.No,
        Out = new AnsiConsoleOutput(writer),
    });

    private void Text(JsonElement value, string indent)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                foreach (var property in value.EnumerateObject())
                {
                    Property(property, indent);
                }

                break;
            case JsonValueKind.Array when IsTable(value):
                Table(value, indent);
                break;
            case JsonValueKind.Array:
                foreach (var item in value.EnumerateArray())
                {
                    output.WriteLine(indent + Scalar(item));
                }

                break;
            default:
                output.WriteLine(indent + Scalar(value));
                break;
        }
    }

    private void Property(JsonProperty property, string indent)
    {
        if (property.Value.ValueKind == JsonValueKind.Object || IsTable(property.Value) || HasSentences(property.Value))
        {
            output.WriteLine($"{indent}{property.Name}:");
            Text(property.Value, $"{indent}  ");
        }
        else
        {
            var isEmptyList = property.Value.ValueKind == JsonValueKind.Array && property.Value.GetArrayLength() == 0;
            output.WriteLine($"{indent}{property.Name}: {(isEmptyList ? "none" : Scalar(property.Value))}");
        }
    }

    private void Table(JsonElement list, string indent)
    {
        string[] columns = [.. list.EnumerateArray().SelectMany(row => row.EnumerateObject().Select(property => property.Name)).Distinct()];
        Table(columns, [.. list.EnumerateArray().Select(row => columns.Select(column => row.TryGetProperty(column, out var cell) ? Scalar(cell) : "").ToArray())], indent);
    }

    private static bool IsTable(JsonElement value) =>
        value.ValueKind == JsonValueKind.Array && value.GetArrayLength() > 0 && value.EnumerateArray().All(row => row.ValueKind == JsonValueKind.Object);

    // such as the lines of a log, which are not joined by commas
    private static bool HasSentences(JsonElement value) =>
        value.ValueKind == JsonValueKind.Array && value.EnumerateArray().Any(item => item.ValueKind == JsonValueKind.String && item.GetString()!.Contains(' ', StringComparison.Ordinal));

    /// <summary>A value in one line.</summary>
    public static string Scalar(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => Plain(value.GetString()!),
        JsonValueKind.Null => "",
        JsonValueKind.Array when value.EnumerateArray().All(item => item.ValueKind is not (JsonValueKind.Object or JsonValueKind.Array)) =>
            string.Join(", ", value.EnumerateArray().Select(Scalar)),
        _ => Plain(value.GetRawText()),
    };
}
