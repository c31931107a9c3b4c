using System.Collections.Frozen;
using System.Text.Json;

namespace MgbaBridge.Client.Commands;

/// <summary>Why the script refused a request. <see cref="ErrorCodes"/> has their names on the wire and their HTTP statuses.</summary>
public enum ErrorCode
{
    /// <summary>A code that this version does not know.</summary>
    Other,

    /// <summary>The secret is another one.</summary>
    AuthFailed,

    /// <summary>The script could not show that it has the secret.</summary>
    AuthMismatch,

    /// <summary>The script has no secret.</summary>
    AuthMissing,

    /// <summary>The script has a secret, and no proof was sent.</summary>
    AuthRequired,

    /// <summary>No such location.</summary>
    BadAddress,

    /// <summary>An argument is wrong.</summary>
    BadArgument,

    /// <summary>There are too few or too many arguments.</summary>
    BadArity,

    /// <summary>A batch is wrong.</summary>
    BadBatch,

    /// <summary>An escape in a string is wrong.</summary>
    BadEscape,

    /// <summary>The head of a request is none.</summary>
    BadHead,

    /// <summary>No such key.</summary>
    BadKey,

    /// <summary>No such named argument.</summary>
    BadOption,

    /// <summary>There was no time or memory for it.</summary>
    Busy,

    /// <summary>It was cancelled, or ended by a change of the game.</summary>
    Cancelled,

    /// <summary>The script or the game is another one.</summary>
    EpochChanged,

    /// <summary>Its reply is not kept any more.</summary>
    Expired,

    /// <summary>mGBA did not do it.</summary>
    Failed,

    /// <summary>The file is outside of the allowed folders.</summary>
    Forbidden,

    /// <summary>A guard did not match.</summary>
    GuardFailed,

    /// <summary>The head is longer than allowed.</summary>
    HeadTooLong,

    /// <summary>The id belongs to another request.</summary>
    IdReused,

    /// <summary>The script failed.</summary>
    Internal,

    /// <summary>Another holder has the lease.</summary>
    Leased,

    /// <summary>No game is loaded.</summary>
    NoGame,

    /// <summary>There is no lease.</summary>
    NoLease,

    /// <summary>The game does not run.</summary>
    NotRunning,

    /// <summary>The bytes are no state of this game.</summary>
    NotAState,

    /// <summary>There is no such file or slot.</summary>
    NotFound,

    /// <summary>The program is a script of mGBA, such as mGBA-http's, but not this project's.</summary>
    OtherScript,

    /// <summary>The save file cannot be written.</summary>
    SaveFailed,

    /// <summary>The tail is longer than allowed.</summary>
    TailTooLong,

    /// <summary>The script has as many connections as it allows.</summary>
    TooManyConnections,

    /// <summary>The script has no such command.</summary>
    UnknownCommand,

    /// <summary>This emulator cannot do it.</summary>
    Unsupported,

    /// <summary>The protocol version is another one.</summary>
    Version,
}

/// <summary>The codes of the script: their names on the wire, HTTP statuses and failures.</summary>
public static class ErrorCodes
{
    private const int DefaultStatus = 400;

    private static readonly FrozenDictionary<ErrorCode, int> Statuses = new Dictionary<ErrorCode, int>
    {
        [ErrorCode.AuthFailed] = 502,
        [ErrorCode.AuthMismatch] = 502,
        [ErrorCode.AuthMissing] = 502,
        [ErrorCode.AuthRequired] = 502,
        [ErrorCode.Busy] = 503,
        [ErrorCode.Cancelled] = 409,
        [ErrorCode.EpochChanged] = 409,
        [ErrorCode.Expired] = 409,
        [ErrorCode.Forbidden] = 403,
        [ErrorCode.HeadTooLong] = 413,
        [ErrorCode.IdReused] = 409,
        [ErrorCode.Internal] = 502,
        [ErrorCode.NoGame] = 409,
        [ErrorCode.NoLease] = 409,
        [ErrorCode.NotAState] = 422,
        [ErrorCode.NotFound] = 404,
        [ErrorCode.NotRunning] = 409,
        [ErrorCode.TailTooLong] = 413,
        [ErrorCode.TooManyConnections] = 503,
        [ErrorCode.UnknownCommand] = 404,
        [ErrorCode.Unsupported] = 501,
    }.ToFrozenDictionary();

    private static readonly FrozenDictionary<string, ErrorCode> ByName = Enum.GetValues<ErrorCode>().ToFrozenDictionary(NameOf);

    /// <summary>The code of this name.</summary>
    public static ErrorCode Parse(string name) => ByName.GetValueOrDefault(name);

    /// <summary>Its name on the wire and in problems, such as <c>bad-address</c>.</summary>
    public static string NameOf(ErrorCode code) => JsonNamingPolicy.KebabCaseLower.ConvertName(code.ToString());

    /// <summary>The HTTP status of an error reply.</summary>
    public static int StatusOf(ErrorCode code) => Statuses.GetValueOrDefault(code, DefaultStatus);

    /// <summary>The failure of an error reply, without regard to earlier attempts.</summary>
    public static CommandFailureKind FailureOf(ErrorCode code) => code switch
    {
        ErrorCode.GuardFailed => CommandFailureKind.GuardFailed,
        ErrorCode.Leased => CommandFailureKind.Leased,
        ErrorCode.Version => CommandFailureKind.WrongVersion,
        ErrorCode.Busy => CommandFailureKind.Overloaded,
        ErrorCode.SaveFailed => CommandFailureKind.SaveFailed,
        _ => CommandFailureKind.Rejected,
    };
}
