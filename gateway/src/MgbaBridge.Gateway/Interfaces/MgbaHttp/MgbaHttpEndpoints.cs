using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Validation;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>The paths of mGBA-http, 62 of the newest version and two of older ones, so that bots written for it move by changing nothing.</summary>
public static class MgbaHttpEndpoints
{
    /// <summary>Adds all of them.</summary>
    public static void MapMgbaHttp(this IEndpointRouteBuilder routes, CompatibilityOptions options)
    {
        CorePaths.Map(new MgbaHttpPaths(routes, options, "Core"));
        CoreKeyPaths.Map(new MgbaHttpPaths(routes, options, "Core", Access.Play));
        CoreMemoryPaths.Map(new MgbaHttpPaths(routes, options, "Core"));
        CoreStatePaths.Map(new MgbaHttpPaths(routes, options, "Core"));
        CoreAdapterPaths.Map(new MgbaHttpPaths(routes, options, "CoreAdapter"));
        MemoryDomainPaths.Map(new MgbaHttpPaths(routes, options, "MemoryDomain"));
        ConsolePaths.Map(new MgbaHttpPaths(routes, options, "Console"));
        ButtonPaths.Map(new MgbaHttpPaths(routes, options, "Button", Access.Play), options.PressWaiting);
        ExtensionPaths.Map(new MgbaHttpPaths(routes, options, "Extension"));
    }
}

/// <summary>Settings for the paths of mGBA-http.</summary>
public sealed record CompatibilityOptions
{
    /// <summary>
    /// The response when mGBA refuses, for example a file that does not load. True, the default: 200 with an empty body, as in
    /// mGBA-http. False: 400, 404 or 422 with the reason.
    /// </summary>
    public bool SilentRefusals { get; set; } = true;

    /// <summary>
    /// What <c>tap</c>, <c>tapmany</c>, <c>hold</c> and <c>holdmany</c> do about earlier presses of their buttons that are not over: <c>shorten</c>, the default,
    /// shortens the one before, so that each is seen soon; <c>queue</c> comes behind them; <c>replace</c> takes the place of those that wait.
    /// </summary>
    [PressWaitings]
    public string Waiting { get; set; } = "shorten";

    /// <summary>The version of mGBA-http whose response formats are used, 0.1..0.10, default 0.10. Requests of all versions are always understood.</summary>
    [MgbaHttpVersions]
    public string Version { get; set; } = "0.10";

    /// <summary>What presses do about earlier ones, read.</summary>
    internal PressWaiting PressWaiting => Enum.Parse<PressWaiting>(Waiting, ignoreCase: true);

    /// <summary>The version, read.</summary>
    internal MgbaHttpVersion Dialect => MgbaHttpVersion.TryParse(Version, out var version) ? version : throw new InvalidOperationException($"Version is {Version}.");
}

/// <summary>Accepts released versions of mGBA-http.</summary>
internal sealed class MgbaHttpVersionsAttribute : SettingAttribute
{
    public override string Limits => "a version of mGBA-http from 0.1 to 0.10, such as 0.7 or 0.8.1";

    public override bool IsValid(object? value) => value is string text && MgbaHttpVersion.TryParse(text, out _);
}

/// <summary>Accepts what presses may do about earlier ones.</summary>
internal sealed class PressWaitingsAttribute : SettingAttribute
{
    public override string Limits => "queue, shorten or replace";

    public override bool IsValid(object? value) => value is string text && Enum.GetNames<PressWaiting>().Contains(text, StringComparer.OrdinalIgnoreCase);
}
