namespace MgbaBridge.Gateway.Protocol;

/// <summary>What a look at the received bytes found.</summary>
public enum MessageStatus
{
    /// <summary>The head has not ended yet: receive more.</summary>
    Incomplete,

    /// <summary>A whole head is there.</summary>
    Complete,

    /// <summary>The head is over the limit, and where the next message starts cannot be known.</summary>
    TooLong,
}
