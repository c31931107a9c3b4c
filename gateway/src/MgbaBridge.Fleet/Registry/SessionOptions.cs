using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Fleet.Registry;

/// <summary>What emulators of sessions are started with, in the database: the speed has a column, the others are one list of <c>name=value</c>.</summary>
internal static class SessionOptions
{
    /// <summary>The list.</summary>
    public static string[] TextsOf(EmulatorOptions options) =>
        [.. EmulatorOption.Of(EmulatorStarter.Fleet).Where(option => option is not EmulatorOption<double?> && option.IsGiven(options)).Select(option => $"{option.Name}={option.TextOf(options)}")];

    /// <summary>The options; those that this program does not know are left out.</summary>
    public static EmulatorOptions Of(double? fps, IEnumerable<string> texts) => texts.Aggregate(new EmulatorOptions { Fps = fps }, static (options, text) =>
    {
        var (name, value) = text.Split('=', 2) is [var before, var behind] ? (before, behind) : (text, "");
        return EmulatorOption.Of(EmulatorStarter.Fleet).FirstOrDefault(option => option.Name == name) switch
        {
            EmulatorOption<string?> option => option.With(options, value),
            EmulatorOption<bool> flag => flag.With(options, true),
            _ => options,
        };
    });
}
