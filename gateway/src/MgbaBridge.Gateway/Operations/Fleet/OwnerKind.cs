using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Gateway.Operations.Fleet;

/// <summary>Names of owners.</summary>
internal sealed class OwnerKind : WrittenKind<string>
{
    public override ParameterShape Shape { get; } = new("string", OwnerName.ExpectedFormat) { MaxLength = OwnerName.MaxLength };

    internal override bool TryParse(string text, out string value)
    {
        value = text;
        return OwnerName.IsValid(text);
    }
}
