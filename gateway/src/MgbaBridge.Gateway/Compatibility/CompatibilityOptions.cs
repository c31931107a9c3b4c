namespace MgbaBridge.Gateway.Compatibility;

/// <summary>How the paths of mGBA-http behave where being like it and being clear differ.</summary>
public sealed record CompatibilityOptions
{
    /// <summary>
    /// What a caller gets when mGBA says no, for example to a file that does not load. True, the default: 200 with an empty body, which is
    /// all that mGBA-http tells. False: 400, 404 or 422 with the reason.
    /// </summary>
    public bool SilentRefusals { get; set; } = true;
}
