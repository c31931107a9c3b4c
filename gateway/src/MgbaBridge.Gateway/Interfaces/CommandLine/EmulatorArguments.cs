using System.CommandLine;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>The options by which commands that start a gateway with emulators take what these start with, made from their declarations.</summary>
internal sealed class EmulatorArguments
{
    private readonly (EmulatorOption Declared, Option Option)[] _options = [.. EmulatorOption.Of(EmulatorStarter.Run).Select(static option => (option, OptionOf(option)))];

    /// <summary>Adds them to a command.</summary>
    public EmulatorArguments(Command command)
    {
        foreach (var (_, option) in _options)
        {
            command.Add(option);
        }
    }

    /// <summary>The settings of the gateway that those which are given make.</summary>
    /// <exception cref="VerbException">The value of one is wrong, or a window cannot have it.</exception>
    public IEnumerable<string> SettingsOf(ParseResult result)
    {
        var given = _options.Where(row => result.GetResult(row.Option) is { Implicit: false }).ToArray();
        var options = given.Aggregate(new EmulatorOptions(), (options, row) => row.Declared switch
        {
            EmulatorOption<bool> flag => flag.With(options, result.GetValue((Option<bool>)row.Option)),
            EmulatorOption<double?> number => number.With(options, result.GetValue((Option<double?>)row.Option)),
            EmulatorOption<int?> number => number.With(options, result.GetValue((Option<int?>)row.Option)),
            EmulatorOption<string?> text => text.With(options, result.GetValue((Option<string?>)row.Option)),
            _ => options,
        });
        var errors = given.Select(static row => row.Declared).Select(option => (Option: option, Error: option.Error(options)))
            .Concat(options.NotInWindow(EmulatorStarter.Run).Select(static limit => (limit.Option, Error: (string?)EmulatorOptions.NoWindow(limit.Instead))));
        return errors.FirstOrDefault(static error => error.Error is not null) is ({ } wrong, var error)
            ? throw VerbException.WrongUsage($"{wrong.RunName} {error}")
            : given.Select(row => $"--Bridge:Owned:{row.Declared.Setting}={ServeArguments.ValueOf(result.GetResult(row.Option)!)}");
    }

    private static Option OptionOf(EmulatorOption option)
    {
        Option made = option switch
        {
            EmulatorOption<bool> => new Option<bool>(option.RunName),
            EmulatorOption<double?> => new Option<double?>(option.RunName) { HelpName = "N" },
            EmulatorOption<int?> => new Option<int?>(option.RunName) { HelpName = "PORT" },
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
