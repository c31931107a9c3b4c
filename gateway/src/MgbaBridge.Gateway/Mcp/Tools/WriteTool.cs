using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Writes a value.</summary>
internal sealed class WriteTool : AgentTool
{
    private const int MaxAttempts = 16;

    [SetsRequiredMembers]
    public WriteTool()
        : base("write", Access.Write)
    {
        Title = "Write memory";
        Description = $"Writes one value by name or location, exactly once. Returns what it was before. {TypedPlace.FormatHint}";
        Parameters =
        [
            new ToolParameter("place", ArgumentKind.Text, "Where.") { IsRequired = true, MaxLength = 200 },
            new ToolParameter("value", ArgumentKind.Text, "The value: a number such as 12, -3 or 0xC, a text, hex digits for bytes, or a JSON list or object.") { IsRequired = true, MaxLength = 16_384 },
        ];
        IsDestructive = true;
        IsIdempotent = true;
        Output = ToolJson.Default.WrittenAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var (place, value) = (call.Arguments.Text("place")!, call.Arguments.Text("value")!);
        call.Note = $"{place} = {value}";
        var game = await GameNames.OfAsync(call);
        var type = game.Find(place).Property.Type;
        var bytes = new byte[type.Size];
        if (Encode(type, value, bytes) is { } wrong)
        {
            throw new ToolException(wrong, "correct the value.");
        }

        for (var attempt = 1; ; attempt++)
        {
            var found = (await game.ReadAsync(call, [place])).Values[0];
            if (found.Location is null)
            {
                throw new ToolException($"A pointer on the way to {place} is 0, so it is nowhere now.", "wait until it points somewhere, then try again.");
            }

            var batch = new RunBatch(ValueWriter.Batch(found, game.IsGameBoy, bytes), null, null);
            using var reply = await call.Emulator.SendAsync(batch, call.Options with { Epoch = game.Epoch }, call.Cancelled);

            // a pointer went elsewhere in between, and nothing was done
            if (reply.Failure is { Failure: Failure.GuardFailed } && attempt < MaxAttempts)
            {
                continue;
            }

            if (reply.Failure is { } failure)
            {
                throw NextSteps.Of(failure, call.Emulator);
            }

            call.Frame = reply.Frame;
            return Result(new WrittenAnswer(call.Emulator.Id, reply.Frame, place, found.Location.Value.ToString(), GameNames.JsonOf(found)));
        }
    }

    private static string? Encode(IValueType form, string value, byte[] bytes)
    {
        if (form is BytesType)
        {
            if (value.Length != bytes.Length * 2 || !value.All(char.IsAsciiHexDigit))
            {
                return $"The value has to be {bytes.Length} bytes as {bytes.Length * 2} hex digits.";
            }

            Convert.FromHexString(value).CopyTo(bytes, 0);
            return null;
        }

        var json = form is TextType ? $"\"{JsonEncodedText.Encode(value)}\""
            : form is ScalarType && value.StartsWith("0x", StringComparison.OrdinalIgnoreCase) && long.TryParse(value.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var number)
                ? number.ToString(CultureInfo.InvariantCulture)
                : value;
        try
        {
            using var document = JsonDocument.Parse(json);
            return form.Write(document.RootElement, bytes);
        }
        catch (JsonException)
        {
            return $"\"{(value.Length <= 80 ? value : value[..80])}\" is no value of type {form.Kind}.";
        }
    }
}
