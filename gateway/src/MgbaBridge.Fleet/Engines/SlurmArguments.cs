using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Engines;

/// <summary>The arguments of <c>sbatch</c> in the settings: for all jobs, and for those of an owner.</summary>
internal static class SlurmArguments
{
    /// <summary>What is replaced by the owner of a job.</summary>
    public const string Owner = "{owner}";

    private const char AfterOwner = ':';
    private const int ShortestAbbreviation = 4;

    // those by which the engine knows its jobs, which getopt permits to abbreviate
    private static readonly string[] Own = ["--array", "--comment", "--job-name"];
    private static readonly string[] OwnLetters = ["-a", "-J"];

    /// <summary>A text of the settings for an owner.</summary>
    public static string For(string owner, string text) => text.Replace(Owner, owner, StringComparison.Ordinal);

    /// <summary>The arguments for jobs of an owner: its own come last, so that they apply.</summary>
    public static IEnumerable<string> Of(FleetOptions options, string owner) =>
        options.SlurmArguments.Concat(options.SlurmOwnerArguments.Select(Split).Where(argument => argument.Owner == owner).Select(argument => argument.Argument)).Select(argument => For(owner, argument));

    /// <summary>What is wrong with an argument, to follow the name of its setting, or null.</summary>
    public static string? Problem(string argument) =>
        IsOwn(argument) ? $"has \"{argument}\"; the gateway knows its jobs by --array, --comment and --job-name: leave them out. A comment is Bridge:Fleet:SlurmComment."
        : argument.IndexOf(Owner, StringComparison.Ordinal) is >= 0 and var owner && !(argument.StartsWith("--", StringComparison.Ordinal) && argument.IndexOf('=', StringComparison.Ordinal) is > 0 and var sign && sign < owner)
        ? $"has \"{argument}\"; {Owner} is part of a value, as in --account={Owner}."
        : null;

    /// <summary>The same for an argument of an owner.</summary>
    public static string? ProblemOfOwners(string text) =>
        Split(text) is var (owner, argument) && OwnerName.IsValid(owner) && argument.StartsWith('-') ? Problem(argument) : $"has \"{text}\"; expected an owner and an argument, such as lab7:--qos=low.";

    /// <summary>Whether an argument is one by which the engine knows its jobs.</summary>
    internal static bool IsOwn(string argument)
    {
        var name = argument.Split('=')[0];
        return OwnLetters.Any(letter => name.StartsWith(letter, StringComparison.Ordinal))
            || (name.Length >= ShortestAbbreviation && Own.Any(own => own.StartsWith(name, StringComparison.Ordinal)));
    }

    private static (string Owner, string Argument) Split(string text) => text.IndexOf(AfterOwner, StringComparison.Ordinal) is >= 0 and var end ? (text[..end], text[(end + 1)..]) : ("", text);
}
