namespace MgbaBridge.Gateway.Names;

/// <summary>Which byte stands for which text.</summary>
public sealed record TextTableBody
{
    /// <summary>A byte in two hex digits, and its text: `{"BB": "A", "BC": "B"}`.</summary>
    public required Dictionary<string, string> Codes { get; init; }

    /// <summary>The byte that ends a text, in two hex digits.</summary>
    public string? End { get; init; }
}
