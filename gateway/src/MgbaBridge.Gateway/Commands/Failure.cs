namespace MgbaBridge.Gateway.Commands;

/// <summary>All that can go wrong with a request. What follows from each stands in <see cref="FailureTable"/>.</summary>
public enum Failure
{
    /// <summary>Waited for a free place and got none. Nothing was sent.</summary>
    Overloaded,

    /// <summary>Nothing listens on the port, or the name does not resolve. Nothing was sent.</summary>
    ConnectFailed,

    /// <summary>The connection was not accepted in time. Nothing was sent.</summary>
    ConnectTimedOut,

    /// <summary>Another program answers on the port.</summary>
    NotOurs,

    /// <summary>A script answers, but one that speaks another version.</summary>
    WrongVersion,

    /// <summary>The port accepts and no frame runs.</summary>
    Silent,

    /// <summary>The connection broke after bytes may have left.</summary>
    ConnectionLost,

    /// <summary>No reply within the deadline. It may have run; it is cancelled now.</summary>
    ReplyTimedOut,

    /// <summary>It may have run: the script or the game changed before the answer came.</summary>
    Indeterminate,

    /// <summary>The reply is over the limit.</summary>
    ReplyTooLarge,

    /// <summary>Another holder has the lockstep lease.</summary>
    Leased,

    /// <summary>A guard of the batch did not match. Nothing was done.</summary>
    GuardFailed,

    /// <summary>The script says no, with a code of its own.</summary>
    Rejected,
}
