using System.ComponentModel.DataAnnotations;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Fleet;

/// <summary>Emulators on several machines. Without a database there is no fleet, and none of it is loaded.</summary>
public sealed record FleetOptions : IValidatableObject
{
    /// <summary>How to reach PostgreSQL, such as <c>Host=db.example.org;Username=bridge;Password=…;Database=fleet</c>. Empty: no fleet.</summary>
    [DatabaseAddress]
    public string? Database { get; set; }

    /// <summary>The same database as the jobs of an engine connect to it: as a user with only the rights that a host needs. Empty: as <see cref="Database"/>.</summary>
    [DatabaseAddress]
    public string? HostDatabase { get; set; }

    /// <summary>The name of the fleet. A database belongs to one fleet; programs with another name are refused.</summary>
    [FleetName]
    public string Name { get; set; } = "default";

    /// <summary>How long a host may be unreachable before its sessions are moved. Each state that a host stores renews its lease; without one it is renewed when 55 % of it are over.</summary>
    [TimeRange("00:00:02", "00:10:00")]
    public TimeSpan LeaseTime { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>Sessions of the whole fleet.</summary>
    [Range(1, 1_000_000)]
    public int MaxSessions { get; set; } = 10_000;

    /// <summary>Sessions of one owner.</summary>
    [Range(1, 1_000_000)]
    public int MaxSessionsPerOwner { get; set; } = 1_000;

    /// <summary>States kept of each session: the newest one, and two for the case that it cannot be loaded. Beyond, the oldest is deleted.</summary>
    internal int KeptStates { get; init; } = 3;

    /// <summary>How long the database may take for a connection or a statement, and how often idle connections are tested.</summary>
    internal TimeSpan CommandTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Where the bytes of states are: <c>file:///FOLDER</c>, a folder that all gateways and hosts have mounted there. Empty: in the database.</summary>
    [StateStore]
    public string? StateStore { get; set; }

    /// <summary>How long states stay in the store when newer ones have replaced them: a database that was restored from a backup of at most this age finds its states.</summary>
    [TimeRange("00:10:00", "30.00:00:00")]
    public TimeSpan StateHistory { get; set; } = TimeSpan.FromHours(1);

    /// <summary>What starts a job for each session: <c>local</c>, <c>slurm</c>, <c>kubernetes</c> (experimental), or empty if you start them yourself with <c>mgba-bridge node</c>.</summary>
    [EngineName]
    public string Engine { get; set; } = "";

    /// <summary>Further arguments for <c>sbatch</c>, such as <c>--partition=games</c> or <c>--mem=2G</c>; not <c>--array</c>, <c>--comment</c> and <c>--job-name</c>, by which the gateway knows its jobs. <c>{owner}</c> in a value is the owner of the job's sessions, as in <c>--account={owner}</c>.</summary>
    public string[] SlurmArguments { get; set; } = [];

    /// <summary>Arguments for the jobs of one owner, after the others: the owner, a colon and the argument, such as <c>lab7:--qos=low</c>.</summary>
    public string[] SlurmOwnerArguments { get; set; } = [];

    /// <summary>What the site wants in the comment of jobs of Slurm, with <c>{owner}</c> as above. It comes first, and what the gateway knows its jobs by follows after a semicolon.</summary>
    [SlurmComment]
    public string SlurmComment { get; set; } = Engines.SlurmArguments.Owner;

    /// <summary>A file with the manifest of a Job in JSON, from which the engine <c>kubernetes</c> makes the Jobs of sessions.</summary>
    public string? KubernetesTemplate { get; set; }

    /// <summary>The program that an engine starts as a host. Default: this one.</summary>
    public string? NodeProgram { get; set; }

    /// <summary>How long a command of an engine may take. Beyond, it is stopped.</summary>
    [TimeRange("00:00:01", "00:05:00")]
    public TimeSpan EngineTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a host may take to store its states and give its sessions back when it is stopped.</summary>
    [TimeRange("00:00:01", "00:10:00")]
    public TimeSpan HostDrainTimeout { get; set; } = TimeSpan.FromSeconds(20);

    /// <summary>Whether this program runs sessions of the fleet: it is <c>mgba-bridge node</c>.</summary>
    internal bool RunSessions { get; set; }

    /// <summary>The certificate by which gateways and hosts on several machines know each other, as a PEM file. Empty: all of them are on one machine.</summary>
    public string? Certificate { get; set; }

    /// <summary>Its key, as a PEM file. Default: in the file of the certificate.</summary>
    public string? CertificateKey { get; set; }

    /// <summary>The certificate of the fleet's own authority, which has signed those of all gateways and hosts, as a PEM file.</summary>
    public string? CertificateAuthority { get; set; }

    /// <summary>The address where a host accepts connections of gateways; used with a certificate.</summary>
    [IpAddress]
    public string ListenAddress { get; set; } = "0.0.0.0";

    /// <summary>The port there, for the jobs of an engine the first of 1,000, of which each takes a free one; 0 takes any free one.</summary>
    [Range(0, 65_535)]
    public int ListenPort { get; set; }

    /// <summary>The name or address by which gateways reach a host. Default: the name of its machine.</summary>
    public string? AdvertisedAddress { get; set; }

    /// <summary>Jobs of an engine at once, each of which runs one session. Beyond, sessions wait.</summary>
    [Range(0, 100_000)]
    public int MaxJobs { get; set; } = 1_000;

    /// <summary>Emulators of a host that was started by hand.</summary>
    [Range(1, 256)]
    public int EmulatorsPerHost { get; set; } = 8;

    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (RunSessions && string.IsNullOrEmpty(Database))
        {
            yield return new("is not set; a host of a fleet (mgba-bridge node) needs the fleet's database.", [nameof(Database)]);
        }

        if (Engine == EngineNameAttribute.Kubernetes && string.IsNullOrEmpty(KubernetesTemplate))
        {
            yield return new("is not set; the engine kubernetes needs the manifest of a Job.", [nameof(KubernetesTemplate)]);
        }

        if (Engine == EngineNameAttribute.Kubernetes && (Name.StartsWith('-') || Name.EndsWith('-')))
        {
            yield return new($"is \"{Name}\"; labels of Kubernetes do not begin or end with a hyphen.", [nameof(Name)]);
        }

        if (SlurmArguments.Select(Engines.SlurmArguments.Problem).OfType<string>().FirstOrDefault() is { } problem)
        {
            yield return new(problem, [nameof(SlurmArguments)]);
        }

        if (SlurmOwnerArguments.Select(Engines.SlurmArguments.ProblemOfOwners).OfType<string>().FirstOrDefault() is { } problemOfOwners)
        {
            yield return new(problemOfOwners, [nameof(SlurmOwnerArguments)]);
        }

        if (string.IsNullOrEmpty(Certificate) != string.IsNullOrEmpty(CertificateAuthority))
        {
            yield return new("and CertificateAuthority belong together: set both, or neither.", [nameof(Certificate)]);
        }

        if (!string.IsNullOrEmpty(AdvertisedAddress) && Uri.CheckHostName(AdvertisedAddress) == UriHostNameType.Unknown)
        {
            yield return new($"is {AdvertisedAddress}; expected the name or the address of this machine, without a port.", [nameof(AdvertisedAddress)]);
        }
    }
}

/// <summary>Marks the address of a database, which may contain a password.</summary>
internal sealed class DatabaseAddressAttribute : SettingAttribute
{
    public override string Limits => "a connection string such as Host=db.example.org;Username=bridge;Password=secret;Database=fleet";

    public override bool IsSecret => true;

    public override bool IsValid(object? value) => value is null or "" || (value is string text && text.Contains("Host=", StringComparison.OrdinalIgnoreCase));
}

/// <summary>Limits the address of a store of states.</summary>
internal sealed class StateStoreAttribute : SettingAttribute
{
    public override string Limits => "file:///FOLDER, or nothing for the database";

    public override bool IsValid(object? value) => value is null or "" || (value is string text && Uri.TryCreate(text, UriKind.Absolute, out var address) && address is { IsFile: true, IsUnc: false } && text.StartsWith("file:///", StringComparison.Ordinal));
}

/// <summary>Limits the name of a fleet, which is part of the names of an engine's jobs.</summary>
internal sealed class FleetNameAttribute : SettingAttribute
{
    private const int MaxLength = 32;

    public override string Limits => "1 to 32 characters of a-z, 0-9 and hyphen";

    public override bool IsValid(object? value) =>
        value is string { Length: > 0 and <= MaxLength } name && name.All(letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter) || letter == '-');
}

/// <summary>Limits a comment of Slurm, in which what the gateway adds has most of the room.</summary>
internal sealed class SlurmCommentAttribute : SettingAttribute
{
    private const int MaxLength = 200;

    public override string Limits => "at most 200 characters of ASCII on one line";

    public override bool IsValid(object? value) => value is null || (value is string { Length: <= MaxLength } text && text.All(letter => letter is >= ' ' and <= '~'));
}

/// <summary>Limits an address of this machine.</summary>
internal sealed class IpAddressAttribute : SettingAttribute
{
    public override string Limits => "an IP address";

    public override bool IsValid(object? value) => value is string text && System.Net.IPAddress.TryParse(text, out _);
}

/// <summary>Limits the name of an engine.</summary>
internal sealed class EngineNameAttribute : SettingAttribute
{
    /// <summary>The engine that starts hosts as Jobs of Kubernetes.</summary>
    public const string Kubernetes = "kubernetes";

    public override string Limits => "local, slurm, kubernetes or nothing";

    public override bool IsValid(object? value) => value is null or "" or "local" or "slurm" or Kubernetes;
}
