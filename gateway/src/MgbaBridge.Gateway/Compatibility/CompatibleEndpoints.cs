namespace MgbaBridge.Gateway.Compatibility;

/// <summary>The paths of mGBA-http, 62 of the newest version and two of older ones, so that bots written for it move by changing nothing.</summary>
public static class CompatibleEndpoints
{
    /// <summary>Adds all of them.</summary>
    public static void MapCompatible(this IEndpointRouteBuilder routes, CompatibilityOptions options)
    {
        CorePaths.Map(new CompatiblePaths(routes, options, "Core"));
        CoreKeyPaths.Map(new CompatiblePaths(routes, options, "Core"));
        CoreMemoryPaths.Map(new CompatiblePaths(routes, options, "Core"));
        CoreStatePaths.Map(new CompatiblePaths(routes, options, "Core"), options);
        CoreAdapterPaths.Map(new CompatiblePaths(routes, options, "CoreAdapter"));
        MemoryDomainPaths.Map(new CompatiblePaths(routes, options, "MemoryDomain"));
        ConsolePaths.Map(new CompatiblePaths(routes, options, "Console"));
        ButtonPaths.Map(new CompatiblePaths(routes, options, "Button"));
        ExtensionPaths.Map(new CompatiblePaths(routes, options, "Extension"));
    }
}
