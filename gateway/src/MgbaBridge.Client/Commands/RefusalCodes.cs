using System.Collections.Frozen;

namespace MgbaBridge.Client.Commands;

/// <summary>The refusal codes of the script and their HTTP statuses. Other codes are 400.</summary>
public static class RefusalCodes
{
    private const int DefaultStatus = 400;

    private static readonly FrozenDictionary<string, int> Statuses = new Dictionary<string, int>
    {
        ["auth-failed"] = 502,
        ["auth-mismatch"] = 502,
        ["auth-missing"] = 502,
        ["auth-required"] = 502,
        ["bad-address"] = 400,
        ["bad-argument"] = 400,
        ["bad-batch"] = 400,
        ["bad-escape"] = 400,
        ["busy"] = 503,
        ["cancelled"] = 409,
        ["epoch-changed"] = 409,
        ["expired"] = 409,
        ["forbidden"] = 403,
        ["head-too-long"] = 413,
        ["id-reused"] = 409,
        ["internal"] = 502,
        ["no-game"] = 409,
        ["no-lease"] = 409,
        ["not-running"] = 409,
        ["not-a-state"] = 422,
        ["not-found"] = 404,
        ["tail-too-long"] = 413,
        ["too-many-connections"] = 503,
        ["unknown-command"] = 404,
        ["unsupported"] = 501,
    }.ToFrozenDictionary();

    /// <summary>The HTTP status of a refusal.</summary>
    public static int StatusOf(string code) => Statuses.GetValueOrDefault(code, DefaultStatus);

    /// <summary>The failure of a refusal, without regard to earlier attempts.</summary>
    public static Failure FailureOf(string code) => code switch
    {
        "guard-failed" => Failure.GuardFailed,
        "leased" => Failure.Leased,
        "version" => Failure.WrongVersion,
        "busy" => Failure.Overloaded,
        _ => Failure.Rejected,
    };
}
