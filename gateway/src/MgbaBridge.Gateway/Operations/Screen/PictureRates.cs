namespace MgbaBridge.Gateway.Operations.Screen;

/// <summary>How often a viewer may be shown the picture.</summary>
internal static class PictureRates
{
    /// <summary>The parameter alone.</summary>
    public static Parameters<double> Request { get; } = Parameters.Of(Parameter.Number("fps", 0.1, 60, "How many pictures a second at most.").Or(10) with { Example = "5" });
}
