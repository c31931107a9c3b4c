namespace MgbaBridge.Gateway.Transport;

/// <summary>Where an exchange is while nobody works on it: in a connection's table or in a queue. Exactly one place has it at a time.</summary>
internal interface IExchangeHolder
{
    /// <summary>Gives the exchange up because its caller left. False if it is not here any more; the id tells one life of a pooled
    /// exchange from the next.</summary>
    bool TryRelease(Exchange exchange, long id);
}
