using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Operations.Emulators;

/// <summary>The id that an emulator or a session gets.</summary>
internal sealed class EmulatorIdKind : WrittenKind<string>
{
    public override ParameterShape Shape { get; } = new("string", EmulatorId.ExpectedFormat) { MaxLength = EmulatorId.MaxLength };

    internal override bool TryParse(string text, out string value)
    {
        value = text;
        return EmulatorId.IsValid(text);
    }
}
