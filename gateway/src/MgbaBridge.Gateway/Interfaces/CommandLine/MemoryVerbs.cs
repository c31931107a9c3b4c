using System.Net.Mime;
using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Memory;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>read</c> and <c>write</c>: memory by address, or values by the name of a property or symbol.</summary>
internal static class MemoryVerbs
{
    private const int RowLength = 16;

    private static readonly Parameter[] TypeOptions = [ValueTypes.Count, ValueTypes.Endian, ValueTypes.Length with { Sentence = "How many bytes of a text; without a type the bytes themselves." }, ValueTypes.Table];

    /// <summary>Adds them.</summary>
    public static void AddTo(VerbTree tree)
    {
        tree.Add("read", "Read memory at an address or a name", command =>
        {
            var (location, type, typeOptions) = AddLocationTo(command);
            command.Add(type);
            var output = new Option<string>("--out") { HelpName = "FILE", Description = "With --length and without a type: where to save the bytes; - is standard output" };
            command.Add(output);
            GatewayClient.AddOptionsTo(command);
            command.SetAction((result, cancelled) => ReadAsync(result, Target.Of(result, location, type, typeOptions), result.GetValue(output), cancelled));
        });
        tree.Add("write", "Write memory at an address or a name", command =>
        {
            var (location, type, typeOptions) = AddLocationTo(command);
            var value = new Argument<string>("value") { HelpName = "VALUE", Description = "A number, a text, or a list as JSON: [1,2,3]" };
            command.Add(value);
            command.Add(type);
            GatewayClient.AddOptionsTo(command);
            command.SetAction((result, _) => WriteAsync(result, Target.Of(result, location, type, typeOptions), result.GetValue(value)!));
        });
    }

    private static (Argument<string> Location, Argument<string> Type, Option<string>[] TypeOptions) AddLocationTo(Command command)
    {
        var location = new Argument<string>("location") { HelpName = "LOCATION", Description = "An address (0x02000000, wram:0x10), or the name of a property or symbol" };
        var type = new Argument<string>("type") { HelpName = "TYPE", Arity = ArgumentArity.ZeroOrOne, Description = $"{string.Join(", ", NumberTypes.Names)} or text; default u8, and for names what is known of them" };
        type.CompletionSources.Add([.. NumberTypes.Names, "text"]);
        Option<string>[] typeOptions = [.. TypeOptions.Select(option => new Option<string>($"--{option.Name}") { HelpName = Field.Placeholder(option), Description = option.Description })];
        command.Add(location);
        foreach (var option in typeOptions)
        {
            command.Add(option);
        }

        return (location, type, typeOptions);
    }

    private static async Task ReadAsync(ParseResult result, Target target, string? file, CancellationToken cancelled)
    {
        using var client = new GatewayClient(result);
        var display = new Display(result);
        if (target.IsBytes && !display.IsJson)
        {
            using var response = await client.SendAsync(HttpMethods.Get, target.Path, null, [MediaTypeNames.Application.Octet], headers => headers.Accept.ParseAdd(MediaTypeNames.Application.Octet));
            if (file is not null)
            {
                await VerbFiles.SaveAsync(client, response, file, display, cancelled);
            }
            else
            {
                Dump(await client.ReadBytesAsync(response), target.Offset, display);
            }

            return;
        }

        if (file is not null)
        {
            throw VerbException.WrongUsage("--out saves bytes; give --length NUMBER, and no type.");
        }

        var answer = await client.GetJsonAsync(target.Path, JsonValueKind.Object);
        if (display.IsJson || !answer.TryGetProperty("value", out var value))
        {
            display.Value(answer);
        }
        else
        {
            display.Line(Display.Scalar(value));
        }
    }

    private static void Dump(byte[] bytes, long offset, Display display)
    {
        for (var row = 0; row < bytes.Length; row += RowLength)
        {
            var part = bytes.AsSpan(row, Math.Min(RowLength, bytes.Length - row));
            var line = new StringBuilder().Append(CultureInfo.InvariantCulture, $"{offset + row:x8} ");
            for (var index = 0; index < RowLength; index++)
            {
                line.Append(index < part.Length ? string.Create(CultureInfo.InvariantCulture, $" {part[index]:x2}") : "   ");
            }

            line.Append("  ");
            foreach (var value in part)
            {
                line.Append(value is >= 0x20 and < 0x7f ? (char)value : '.');
            }

            display.Line(line.ToString());
        }
    }

    private static async Task WriteAsync(ParseResult result, Target target, string text)
    {
        if (target.IsBytes)
        {
            throw VerbException.WrongUsage("--length is the length of a text; write LOCATION VALUE text --length NUMBER.");
        }

        var value = ValueOf(text);
        if (target.IsNumber && value is not JsonArray && value?.GetValueKind() != JsonValueKind.Number)
        {
            throw VerbException.WrongUsage($"VALUE is \"{text}\"; expected a number, such as 42 or 0x2a, or a list, such as [1,2] with --count 2. A text needs the type text and --length.");
        }

        using var client = new GatewayClient(result);
        new Display(result).Value(await client.SendJsonAsync(HttpMethods.Put, target.Path, new JsonObject { ["value"] = value }));
    }

    // a number (also hexadecimal) or JSON, else a text
    private static JsonNode? ValueOf(string text)
    {
        if (text.StartsWith("0x", StringComparison.OrdinalIgnoreCase) && Integers.TryParse(text, out var number))
        {
            return JsonValue.Create(number);
        }

        try
        {
            return JsonNode.Parse(text);
        }
        catch (JsonException)
        {
            return JsonValue.Create(text);
        }
    }

    /// <summary>What a command line names: where in memory, and as what.</summary>
    /// <param name="Path">The path of the request.</param>
    /// <param name="IsBytes">Whether the bytes themselves are requested.</param>
    /// <param name="Offset">The address.</param>
    /// <param name="IsNumber">Whether it is known to be a number, or a list of numbers.</param>
    private sealed record Target(string Path, bool IsBytes, long Offset, bool IsNumber)
    {
        public static Target Of(ParseResult result, Argument<string> location, Argument<string> type, Option<string>[] typeOptions)
        {
            var (name, kind) = (result.GetValue(location)!, result.GetValue(type));
            if (name.Length == 0)
            {
                throw VerbException.WrongUsage("LOCATION is empty.");
            }

            string[] given = [.. typeOptions.Where(option => result.GetResult(option) is not null).Select(option => $"{option.Name[2..]}={Uri.EscapeDataString(result.GetValue(option)!)}")];
            string PathOf(Operation operation) => OperationFields.PathOf(operation, name);

            if (!Location.TryParse(name, out var parsed))
            {
                if (name.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
                {
                    throw VerbException.WrongUsage($"LOCATION is \"{name}\"; expected an address such as 0x02000000 or wram:0x10, or the name of a property or symbol.");
                }

                return new Target(Query(PathOf(ValueOperations.Read), [.. kind is null ? [] : new[] { $"type={Uri.EscapeDataString(kind)}" }, .. given]), false, 0, IsNumberType(kind));
            }

            return kind is null && typeOptions.Where(option => result.GetResult(option) is not null).Select(option => option.Name).SequenceEqual([$"--{ValueTypes.Length.Name}"])
                ? new Target(Query(PathOf(MemoryOperations.Read), given), true, parsed.Offset, false)
                : given.Length == 0 && (kind is null || IsNumberType(kind))
                ? new Target($"{PathOf(MemoryOperations.Read)}/{kind ?? "u8"}", false, parsed.Offset, true)
                : new Target(Query(PathOf(MemoryValueOperations.Read), [$"type={Uri.EscapeDataString(kind ?? "u8")}", .. given]), false, parsed.Offset, kind is null || IsNumberType(kind));
        }

        private static bool IsNumberType(string? kind) => NumberTypes.TryParse(kind, out _);

        private static string Query(string path, string[] parts) => parts.Length == 0 ? path : $"{path}?{string.Join('&', parts)}";
    }
}
