using System.Globalization;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>What a compatible path answers. mGBA-http writes plain text; versions before 0.8 write some of it as JSON.</summary>
/// <param name="Form">The form.</param>
/// <param name="Text">The text, of a form that has one.</param>
/// <param name="Bytes">The bytes, of a form that has them.</param>
internal readonly record struct MgbaHttpAnswer(MgbaHttpForm Form, string Text = "", ReadOnlyMemory<byte> Bytes = default)
{
    /// <summary>An empty answer, which means success.</summary>
    public static MgbaHttpAnswer Nothing { get; } = OfText("");

    /// <summary><c>true</c>, which means success of a command that mGBA can refuse.</summary>
    public static MgbaHttpAnswer True { get; } = OfText("true");

    /// <summary>Text.</summary>
    public static MgbaHttpAnswer OfText(string text) => new(MgbaHttpForm.Text, text);

    /// <summary>A number.</summary>
    public static MgbaHttpAnswer Of(long number) => OfText(number.ToString(CultureInfo.InvariantCulture));

    /// <summary>JSON.</summary>
    public static MgbaHttpAnswer Json(string json) => new(MgbaHttpForm.Json, json);

    /// <summary>Bytes as text: <c>d3,00,ea</c>, unless the caller accepts them as they are.</summary>
    public static MgbaHttpAnswer Of(ReadOnlyMemory<byte> bytes) => new(MgbaHttpForm.Bytes, Bytes: bytes);

    /// <summary>A PNG.</summary>
    public static MgbaHttpAnswer Picture(ReadOnlyMemory<byte> png) => new(MgbaHttpForm.Picture, Bytes: png);

    /// <summary>What mGBA-http's script would refuse.</summary>
    public static MgbaHttpAnswer ScriptError(string detail) => new(MgbaHttpForm.ScriptError, detail);
}

/// <summary>How an answer is written.</summary>
internal enum MgbaHttpForm
{
    Text,
    Json,
    Bytes,
    Picture,
    ScriptError,
}
