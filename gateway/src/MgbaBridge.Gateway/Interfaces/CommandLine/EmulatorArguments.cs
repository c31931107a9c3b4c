using System.CommandLine;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>The options by which commands that start a gateway with emulators take what these start with, made from their declarations.</summary>
internal sealed class EmulatorArguments
{
    private readonly (Option Option, string Setting)[] _options = [.. EmulatorOption.Of(EmulatorStarter.Run).Select(static option => (OptionOf(option), option.Setting))];

    /// <summary>Adds them to a command.</summary>
    public EmulatorArguments(Command command)
    {
        foreach (var (option, _) in _options)
        {
            command.Add(option);
        }
    }

    /// <summary>The settings of the gateway that those which are given make.</summary>
    public IEnumerable<string> SettingsOf(ParseResult result) =>
        from row in _options
        let given = result.GetResult(row.Option)
        where given is { Implicit: false }
        select $"--Bridge:Owned:{row.Setting}={ServeArguments.ValueOf(given)}";

    private static Option OptionOf(EmulatorOption option)
    {
        Option made = option switch
        {
            EmulatorOption<bool> => new Option<bool>(option.RunName),
            EmulatorOption<double?> => new Option<double?>(option.RunName) { HelpName = "N" },
            EmulatorOption<string?> => new Option<string?>(option.RunName) { HelpName = option.File is not null ? "FILE" : option.Choices.Count > 0 ? "NAME" : "TEXT" },
            _ => throw new NotSupportedException($"The command line has no option for values as of {option.Name}."),
        };
        made.Description = option.File is { IsOfOneRom: true } ? $"{option.Help}; for one ROM"
            : option.Choices.Count > 0 ? $"{option.Help} ({string.Join(", ", option.Choices)})"
            : option.Help;
        if (option.Choices.Count > 0)
        {
            made.CompletionSources.Add([.. option.Choices]);
        }

        if (option.File is not null)
        {
            made.CompletionSources.Add(Completions.Files);
        }

        return made;
    }
}
