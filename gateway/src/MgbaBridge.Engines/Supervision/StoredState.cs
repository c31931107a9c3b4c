using System.Globalization;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Supervision;

/// <summary>A state that the gateway keeps: what is known about it besides its bytes.</summary>
/// <param name="Name">Its name, unique in the gateway.</param>
/// <param name="Kind">Why it is kept.</param>
/// <param name="Emulator">The emulator that it was taken of.</param>
/// <param name="Game">The game that it belongs to.</param>
/// <param name="Frame">The script's frame count when it was taken.</param>
/// <param name="SavedAt">When it was taken.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="Sha256">The hash of its bytes, by which damage is found.</param>
/// <param name="HasPicture">Whether it shows the picture of its frame.</param>
/// <param name="Run">The run that an automatic state was taken of; null for the others.</param>
/// <param name="Holder">The holder with whose stream it ends; null for those that stay.</param>
/// <param name="Save">The hash of the save file just before an automatic state was taken; empty when there was none.</param>
/// <param name="SaveIsPending">Whether the save file did not have what the game had saved, because it could not be written.</param>
public sealed record StoredState(
    string Name, StateKind Kind, string Emulator, StoredGame Game, long Frame, DateTimeOffset SavedAt, long Bytes, string Sha256, bool HasPicture, string? Run = null, string? Holder = null,
    string? Save = null, bool SaveIsPending = false)
{
    /// <summary>What the names of automatic states begin with.</summary>
    public const string AutomaticPrefix = "auto.";

    private const int MaxName = 64;

    /// <summary>What a name has to be.</summary>
    public static string ExpectedFormat { get; } =
        $"1 to {MaxName} letters and digits of any language, spaces and . - _; it begins with a letter or a digit, not with {AutomaticPrefix}, and does not end with a space";

    /// <summary>Whether a caller may give a state this name.</summary>
    public static bool IsValidName(string? name) => IsName(name) && !name!.StartsWith(AutomaticPrefix, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether a state can have this name.</summary>
    internal static bool IsName(string? name) => name is { Length: > 0 and <= MaxName } && char.IsLetterOrDigit(name[0]) && name[^1] != ' '
        && name.All(static letter => char.IsLetterOrDigit(letter) || letter is ' ' or '.' or '-' or '_' || IsPartOfALetter(letter));

    // vowels and accents of many languages are characters of their own
    private static bool IsPartOfALetter(char letter) => char.GetUnicodeCategory(letter) is UnicodeCategory.NonSpacingMark or UnicodeCategory.SpacingCombiningMark;
}

/// <summary>Why a state is kept. Each kind has limits of its own, so that none takes the room of another.</summary>
public enum StateKind
{
    /// <summary>A caller gave it a name.</summary>
    Named,

    /// <summary>The game got other save data, and this is how it was before.</summary>
    BeforeSave,

    /// <summary>The gateway took it of an emulator that it started, to continue from after a fault.</summary>
    Automatic,
}

/// <summary>The game that a state belongs to.</summary>
/// <param name="Title">The title in its header.</param>
/// <param name="Code">The code as mGBA reports it.</param>
/// <param name="Platform"><c>gba</c> or <c>gb</c>.</param>
/// <param name="Crc32">The checksum of the ROM.</param>
public sealed record StoredGame(string Title, string Code, string Platform, long Crc32);

/// <summary>A state as an emulator handed it out.</summary>
/// <param name="Bytes">The state; a PNG that shows it where the emulator has a picture.</param>
/// <param name="Game">The game.</param>
/// <param name="Frame">The script's frame count.</param>
/// <param name="Epoch">The epoch then.</param>
public sealed record TakenState(byte[] Bytes, StoredGame Game, long Frame, Epoch Epoch)
{
    /// <summary>Takes the state of an emulator, with its picture where it has one.</summary>
    public static async Task<(TakenState? State, CommandFailure? Failure)> TakeAsync(EmulatorClient emulator, RequestOptions options, CancellationToken cancellationToken)
    {
        StoredGame game;
        using (var reply = await emulator.SendAsync(new ReadGame(), options, cancellationToken))
        {
            if (reply.Failure is { } failure)
            {
                return (null, failure);
            }

            var info = ReadGame.Parse(reply);
            game = new StoredGame(info.Title, info.Code, info.Platform, info.Crc32);
        }

        var (state, why) = await TakeAsync(emulator, game, StateFlags.All, options, cancellationToken);
        return why?.Code == ErrorCode.Unsupported ? await TakeAsync(emulator, game, null, options, cancellationToken) : (state, why);
    }

    private static async Task<(TakenState? State, CommandFailure? Failure)> TakeAsync(
        EmulatorClient emulator, StoredGame game, StateFlags? flags, RequestOptions options, CancellationToken cancellationToken)
    {
        using var reply = await emulator.SendAsync(new SaveState(flags), options, cancellationToken);
        return reply.Failure is { } failure ? (null, failure) : (new TakenState(reply.Tail.ToArray(), game, reply.Frame, reply.Epoch), null);
    }
}

/// <summary>The JSON of what is known about states.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(StoredState))]
internal sealed partial class StoredStateJson : JsonSerializerContext;
