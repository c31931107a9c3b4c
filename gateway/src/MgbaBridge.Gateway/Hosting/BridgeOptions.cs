using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.MgbaHttp;
using MgbaBridge.Gateway.Search;
using MgbaBridge.Gateway.Symbols;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>All settings: the section <c>Bridge</c> of appsettings.json, the environment (<c>Bridge__…</c>) or the command line (<c>--Bridge:…</c>).</summary>
public sealed record BridgeOptions
{
    /// <summary>The section's name.</summary>
    public const string Section = "Bridge";

    /// <summary>The port for HTTP on 127.0.0.1, 0..65535, default 5000; 0 takes any free one. <c>Urls</c> overrides it.</summary>
    public int HttpPort { get; set; } = 5000;

    /// <summary>The emulators; the first one is meant where a path names none. Default: one on this machine.</summary>
    public EmulatorOptions[] Emulators { get; set; } = [];

    /// <summary>How connections to the emulators are kept.</summary>
    public TransportOptions Transport { get; set; } = new();

    /// <summary>What the HTTP side accepts.</summary>
    public HttpOptions Http { get; set; } = new();

    /// <summary>What RAM searches may take.</summary>
    public SearchOptions Search { get; set; } = new();

    /// <summary>Names for places in memory.</summary>
    public SymbolOptions Names { get; set; } = new();

    /// <summary>Where traces and metrics are sent.</summary>
    public TelemetryOptions Telemetry { get; set; } = new();

    /// <summary>How the paths of mGBA-http behave.</summary>
    public CompatibilityOptions Compatibility { get; set; } = new();

    /// <summary>The emulators, at least one.</summary>
    public IReadOnlyList<EmulatorOptions> EmulatorsOrDefault => Emulators.Length > 0 ? Emulators : [new EmulatorOptions()];

    /// <summary>What is wrong with these settings, a sentence each that names the key.</summary>
    public IEnumerable<string> Validate()
    {
        if (HttpPort is < 0 or > 65535)
        {
            yield return $"{Section}:HttpPort has to be 0..65535.";
        }

        foreach (var wrong in Transport.Validate().Select(wrong => $"{Section}:Transport:{wrong}")
            .Concat(Http.Validate().Select(wrong => $"{Section}:Http:{wrong}"))
            .Concat(Names.Validate().Select(wrong => $"{Section}:Names:{wrong}"))
            .Concat(Compatibility.Validate().Select(wrong => $"{Section}:Compatibility:{wrong}"))
            .Concat(Search.Validate().Select(wrong => $"{Section}:Search:{wrong}"))
            .Concat(Telemetry.Validate().Select(wrong => $"{Section}:Telemetry:{wrong}"))
            .Concat(Emulators.SelectMany((emulator, index) => emulator.Validate().Select(wrong => $"{Section}:Emulators:{index}:{wrong}"))))
        {
            yield return wrong;
        }

        foreach (var twice in Emulators.Select(Emulator.Emulators.IdOf).GroupBy(id => id).Where(ids => ids.Count() > 1))
        {
            yield return $"{Section}:Emulators has the Id {twice.Key} more than once.";
        }
    }
}
