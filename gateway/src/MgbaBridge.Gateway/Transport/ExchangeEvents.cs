using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <summary>What the owner of exchanges wants to know.</summary>
/// <param name="AttemptFailed">An attempt failed. True means that the owner takes the exchange over and will complete it.</param>
/// <param name="Ended">An exchange is over; null for success.</param>
public sealed record ExchangeEvents(Func<Exchange, Reply, bool> AttemptFailed, Action<Exchange, FailureReport?> Ended);
