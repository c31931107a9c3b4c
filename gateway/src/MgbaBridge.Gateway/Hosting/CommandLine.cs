namespace MgbaBridge.Gateway.Hosting;

/// <summary>What was typed behind the program's name, checked before it becomes settings: .NET itself ignores what it does not know.</summary>
internal static class CommandLine
{
    /// <summary>Short names for what people set most.</summary>
    public static Dictionary<string, string> Switches { get; } = new()
    {
        ["--http-port"] = "Bridge:HttpPort",
        ["--reuse-port"] = "Bridge:Http:ReusePort",
        ["--emulator-host"] = "Bridge:Emulators:0:Host",
        ["--emulator-port"] = "Bridge:Emulators:0:Port",
        ["--nonce"] = "Bridge:Emulators:0:Nonce",
    };

    // true when they stand alone
    private static readonly string[] Flags = ["--reuse-port"];

    // ASP.NET Core's own that have no colon
    private static readonly string[] Hosts =
    [
        "--urls", "--http_ports", "--https_ports", "--contentRoot", "--environment", "--applicationName", "--webroot", "--AllowedHosts",
        "--detailedErrors", "--captureStartupErrors", "--hostingStartupAssemblies", "--preventHostingStartup", "--shutdownTimeoutSeconds",
    ];

    /// <summary>What <c>--help</c> or <c>--version</c> asks for, or null when the gateway is to be started.</summary>
    public static string? AnswerTo(IReadOnlyList<string> arguments) => arguments switch
    {
        ["--version"] => Name,
        ["--help" or "-h" or "-?"] => $"""
            {Name}: lets programs play and read a game in mGBA over HTTP.

              --http-port PORT       HTTP on 127.0.0.1; 5000 unless given, 0 takes any free one
              --urls URL             listens there instead; other machines need Bridge:Http:Token
              --emulator-host HOST   where mGBA runs; 127.0.0.1 unless given
              --emulator-port PORT   the port that the script names; unless given, the lowest of 8888..8903 where one answers
              --nonce TEXT           takes only the script with this MGBA_BRIDGE_NONCE
              --reuse-port           another gateway may take over the port (Linux)
              --contentRoot FOLDER   where appsettings.json is; the current folder unless given
              --Bridge:…=VALUE       any setting, also as Bridge__… in the environment; docs/operating.md lists all

            Exit codes: 0 as asked, 1 it could not start, 2 wrong settings, 3 it cannot listen.
            """,
        _ => null,
    };

    /// <summary>The arguments as <c>--name=value</c>.</summary>
    /// <exception cref="SettingsException">With one sentence for each that is wrong.</exception>
    public static string[] Read(IReadOnlyList<string> arguments)
    {
        var (read, wrong) = (new List<string>(), new List<string>());
        for (var index = 0; index < arguments.Count; index++)
        {
            var argument = arguments[index];
            var name = argument.Split('=', 2)[0];
            var next = index + 1 < arguments.Count ? arguments[index + 1] : null;
            if (WhatIsWrong(name, argument) is { } sentence)
            {
                wrong.Add(sentence);
            }
            else if (name.Length < argument.Length)
            {
                read.Add(argument);
            }
            else if (Flags.Contains(name, StringComparer.OrdinalIgnoreCase) && next is not ("true" or "false"))
            {
                read.Add($"{name}=true");
            }
            else if (next is null || next.StartsWith("--", StringComparison.Ordinal))
            {
                wrong.Add($"{name} needs a value, such as {name}=….");
            }
            else
            {
                read.Add($"{name}={next}");
                index++;
            }
        }

        return wrong.Count == 0 ? [.. read] : throw new SettingsException(wrong);
    }

    private static string? WhatIsWrong(string name, string argument)
    {
        if (!name.StartsWith("--", StringComparison.Ordinal))
        {
            return $"{argument} stands alone; write --name=value. {Known}";
        }

        // nothing is set by a name with an empty value: that is how test hosts pass on a whole section's
        return argument.EndsWith('=') || name.Contains(':', StringComparison.Ordinal) || Switches.Keys.Concat(Hosts).Contains(name, StringComparer.OrdinalIgnoreCase)
            ? null
            : $"There is no switch {name}. Did you mean {NearestName.Of(name, Switches.Keys.Concat(Hosts))}? {Known}";
    }

    private static string Name => $"mgba-bridge {typeof(CommandLine).Assembly.GetName().Version?.ToString(3)}";

    private static string Known => $"The short ones are {string.Join(", ", Switches.Keys)}; docs/operating.md lists all settings.";
}
