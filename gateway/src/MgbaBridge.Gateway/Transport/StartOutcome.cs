namespace MgbaBridge.Gateway.Transport;

/// <summary>What became of the wish to send a request on a connection.</summary>
internal enum StartOutcome
{
    /// <summary>It is in the connection's hands and will be ended by it.</summary>
    Started,

    /// <summary>As many as allowed are outstanding.</summary>
    Full,

    /// <summary>The connection is over; nothing of the request left.</summary>
    Closed,

    /// <summary>It cannot be sent, for a reason that another connection would not change.</summary>
    Refused,
}
