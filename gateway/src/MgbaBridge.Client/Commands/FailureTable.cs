using System.Collections.Immutable;

namespace MgbaBridge.Client.Commands;

/// <summary>The table of failures, which HTTP, problems, retries, logs and metrics read.</summary>
internal static class FailureTable
{
    private const bool Retried = true;
    private const bool Once = false;
    private const bool NothingDone = false;
    private const bool MayHaveRun = true;

    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(1);

    /// <summary>All rows, in the order of the enum.</summary>
    public static ImmutableArray<FailureRule> Rules { get; } =
    [
        new(CommandFailureKind.Overloaded, 503, "overloaded", "Too many requests are waiting", Once, Soon, NothingDone, 2001),
        new(CommandFailureKind.ConnectFailed, 503, "connect-failed", "The emulator cannot be reached", Retried, Soon, NothingDone, 2002),
        new(CommandFailureKind.ConnectTimedOut, 503, "connect-timed-out", "The emulator did not accept the connection in time", Retried, Soon, NothingDone, 2003),
        new(CommandFailureKind.NotOurs, 502, "not-ours", "Another program answers on the emulator's port", Once, null, NothingDone, 2004),
        new(CommandFailureKind.WrongVersion, 502, "wrong-version", "The script in mGBA has another version", Once, null, NothingDone, 2005),
        new(CommandFailureKind.Silent, 503, "silent", "The emulator runs no frames", Once, Soon, NothingDone, 2006),
        new(CommandFailureKind.ConnectionLost, 502, "connection-lost", "The connection to the emulator broke", Retried, null, MayHaveRun, 2007),
        new(CommandFailureKind.ReplyTimedOut, 504, "reply-timed-out", "The emulator did not answer in time", Once, null, MayHaveRun, 2008),
        new(CommandFailureKind.Indeterminate, 502, "indeterminate", "It is unknown whether the command ran", Once, null, MayHaveRun, 2009),
        new(CommandFailureKind.ReplyTooLarge, 502, "reply-too-large", "The reply is larger than allowed", Once, null, MayHaveRun, 2010),
        new(CommandFailureKind.Leased, 423, "leased", "Another holder has the lockstep lease", Once, null, NothingDone, 2011),
        new(CommandFailureKind.GuardFailed, 412, "guard-failed", "A guard did not match", Once, null, NothingDone, 2012),
        new(CommandFailureKind.Rejected, 400, "rejected", "The emulator refused the command", Once, null, NothingDone, 2013),
        new(CommandFailureKind.LeaseExpired, 503, "lease-expired", "The lease of the emulator's host has ended", Once, Soon, NothingDone, 2014),
        new(CommandFailureKind.SaveFailed, 507, "save-failed", "The save file cannot be written", Once, null, MayHaveRun, 2015),
    ];

    /// <summary>The row of a failure.</summary>
    public static FailureRule Of(CommandFailureKind kind) => Rules[(int)kind];
}
