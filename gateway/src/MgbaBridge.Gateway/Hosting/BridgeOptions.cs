using System.ComponentModel.DataAnnotations;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Search;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Fleet;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Interfaces.Mcp;
using MgbaBridge.Gateway.Interfaces.MgbaHttp;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>All settings: the section <c>Bridge</c> of appsettings.json, the environment (<c>Bridge__…</c>) or the command line (<c>--Bridge:…</c>).</summary>
internal sealed record BridgeOptions : IValidatableObject
{
    /// <summary>The section's name.</summary>
    public const string Section = "Bridge";

    /// <summary>The port for HTTP on 127.0.0.1; 0 takes any free port. <c>Urls</c> overrides it.</summary>
    [Range(0, 65_535)]
    public int HttpPort { get; set; } = FirstFreePort.First;

    /// <summary>The emulators; the first one is meant where a path names none. Default: one on this machine.</summary>
    public ConnectedEmulatorOptions[] Emulators { get; set; } = [];

    /// <summary>Adds all scripts on ports 8888..8903 of this machine as emulators while the gateway runs. Default: when neither emulators nor ROMs are set.</summary>
    public bool? Discover { get; set; }

    /// <summary>How connections to the emulators are kept.</summary>
    public TransportOptions Transport { get; set; } = new();

    /// <summary>What the HTTP side accepts.</summary>
    public HttpOptions Http { get; set; } = new();

    /// <summary>What RAM searches may take.</summary>
    public SearchOptions Search { get; set; } = new();

    /// <summary>Symbols and property maps.</summary>
    public SymbolOptions Symbols { get; set; } = new();

    /// <summary>Emulators that the gateway starts, and the states that it keeps.</summary>
    public OwnedEmulatorOptions Owned { get; set; } = new();

    /// <summary>Emulators on several machines.</summary>
    public FleetOptions Fleet { get; set; } = new();

    /// <summary>What agents that play through MCP may take.</summary>
    public McpOptions Mcp { get; set; } = new();

    /// <summary>Where traces and metrics are sent.</summary>
    public TelemetryOptions Telemetry { get; set; } = new();

    /// <summary>Servers for clients that speak the protocols of other emulators.</summary>
    public DoorOptions Doors { get; set; } = new();

    /// <summary>How the paths of mGBA-http behave.</summary>
    public CompatibilityOptions Compatibility { get; set; } = new();

    /// <summary>The emulators to connect to: one on this machine, if none is set and the gateway starts none itself.</summary>
    public IReadOnlyList<ConnectedEmulatorOptions> EmulatorsOrDefault => Emulators.Length > 0 || Owned.Roms.Length > 0 || IsOfAFleet ? Emulators : [new ConnectedEmulatorOptions { Secret = SecretOfTheEnvironment }];

    /// <summary>Whether scripts are discovered.</summary>
    public bool DiscoverOrDefault => Discover ?? (Emulators.Length == 0 && Owned.Roms.Length == 0 && !IsOfAFleet);

    private bool IsOfAFleet => !string.IsNullOrEmpty(Fleet.Database);

    /// <summary>The secrets by which discovered scripts may know the gateway.</summary>
    public IReadOnlyList<string> DiscoverySecrets => [.. EmulatorsOrDefault.Select(emulator => emulator.Secret).Append(SecretOfTheEnvironment).OfType<string>().Where(secret => secret.Length > 0).Distinct()];

    private static string? SecretOfTheEnvironment => Environment.GetEnvironmentVariable(EmulatorAddress.SecretVariable) is { Length: > 0 } secret ? secret : null;

    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        foreach (var ids in Emulators.Select(Client.Emulator.EmulatorRegistry.IdOf).GroupBy(id => id).Where(ids => ids.Count() > 1))
        {
            yield return new($"has the Id {ids.Key} more than once.", [nameof(Emulators)]);
        }
    }
}
