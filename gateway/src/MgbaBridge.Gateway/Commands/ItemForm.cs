namespace MgbaBridge.Gateway.Commands;

/// <summary>What the result of a batch's item says.</summary>
public enum ItemForm
{
    /// <summary>Nothing but that it was done.</summary>
    Done,

    /// <summary>A number.</summary>
    Number,

    /// <summary>Raw bytes.</summary>
    Bytes,

    /// <summary>The frames of a press.</summary>
    Press,
}
