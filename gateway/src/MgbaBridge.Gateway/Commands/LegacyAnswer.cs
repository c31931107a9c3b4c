namespace MgbaBridge.Gateway.Commands;

/// <summary>What an older script answers to a message.</summary>
public enum LegacyAnswer
{
    /// <summary>Nothing of interest.</summary>
    Nothing,

    /// <summary>A whole number.</summary>
    Number,

    /// <summary>Bytes as <c>d3,00,ea</c>.</summary>
    Hex,

    /// <summary><c>true</c>, or <c>false</c> when mGBA refused.</summary>
    Flag,

    /// <summary>Nothing of interest, where version 2 tells the frames of a press.</summary>
    Press,
}
