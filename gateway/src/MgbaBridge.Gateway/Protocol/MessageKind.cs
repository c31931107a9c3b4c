namespace MgbaBridge.Gateway.Protocol;

/// <summary>What a received head is.</summary>
public enum MessageKind
{
    /// <summary>Not a message of version 2: a legacy script, or another program.</summary>
    Foreign,

    /// <summary><c>#id[+n] frame epoch ok …</c></summary>
    Reply,

    /// <summary><c>#id frame epoch error code "detail" …</c></summary>
    Refusal,

    /// <summary><c>!n[+n] frame epoch topic …</c></summary>
    Event,
}
