using System.Globalization;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Fleet.Registry;

/// <summary>A process of <c>mgba-bridge node</c>, as it registers.</summary>
/// <param name="Id">Chosen at its start, and never used again.</param>
/// <param name="Job">What the engine that started it runs it for; null for a host that was started by hand, which takes what waits.</param>
/// <param name="JobName">What the engine calls this job, or null.</param>
/// <param name="Name">The name of its machine.</param>
/// <param name="Version">The version of the program.</param>
/// <param name="Address">Where gateways reach it.</param>
/// <param name="Port">The port there.</param>
/// <param name="Capacity">Emulators that it takes.</param>
public sealed record HostDescription(Guid Id, SessionCopy? Job, string? JobName, string Name, string Version, string Address, int Port, int Capacity);

/// <summary>A host as lists show it.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">The name of its machine.</param>
/// <param name="State"><c>ready</c>, <c>draining</c> or <c>gone</c>.</param>
/// <param name="Version">The version of its program.</param>
/// <param name="Job">What the engine calls the job that it is, such as <c>162_0</c> of Slurm; null for one that was started by hand.</param>
/// <param name="Capacity">Emulators that it takes.</param>
/// <param name="Sessions">Sessions that it has.</param>
/// <param name="LeaseSeconds">Seconds until its lease ends, by the database's clock; negative when it has ended.</param>
public sealed record FleetHost(Guid Id, string Name, string State, string Version, string? Job, int Capacity, int Sessions, double LeaseSeconds);

/// <summary>One copy of a session: only the host that has it, in this generation, may write. An engine's job is named by it.</summary>
/// <param name="Session">The session.</param>
/// <param name="Generation">Its generation.</param>
public readonly record struct SessionCopy(string Session, long Generation)
{
    /// <summary>Reads what <see cref="ToString"/> wrote, or null.</summary>
    public static SessionCopy? Parse(string? text) =>
        text?.LastIndexOf('.') is > 0 and var dot && long.TryParse(text.AsSpan(dot + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var generation) ? new SessionCopy(text[..dot], generation) : null;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Session}.{Generation}");
}

/// <summary>What the job of a session is to get; what is null is left to the engine.</summary>
/// <param name="Cpus">Processors.</param>
/// <param name="Memory">Memory in MiB.</param>
public readonly record struct JobResources(double? Cpus, int? Memory);

/// <summary>A session as lists show it.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Owner">Its owner.</param>
/// <param name="Rom">Its ROM.</param>
/// <param name="State"><c>pending</c>, <c>placed</c>, <c>running</c> or <c>deleting</c>.</param>
/// <param name="Generation">Rises each time a host takes it.</param>
/// <param name="Host">The name of the machine whose host has it, such as the node of Slurm, or null.</param>
/// <param name="Job">What the engine calls its job, such as <c>162_0</c> of Slurm; null while no host has it, and without an engine.</param>
/// <param name="Detail">Why it does not run, or why its states are not stored; otherwise empty.</param>
/// <param name="Failures">Failed starts in a row.</param>
/// <param name="Cpus">Processors of its job, or null.</param>
/// <param name="Memory">Memory of its job in MiB, or null.</param>
/// <param name="StateSeconds">Seconds since its newest state was stored, by the database's clock: what it would lose; null when it has none.</param>
public sealed record FleetSession(string Id, string Owner, string Rom, string State, long Generation, string? Host, string? Job, string Detail, int Failures, double? Cpus, int? Memory, double? StateSeconds);

/// <summary>A session that a host is to run or, if it is not wanted, to end.</summary>
/// <param name="Copy">Which copy.</param>
/// <param name="Rom">Its ROM.</param>
/// <param name="Options">What it is started with.</param>
/// <param name="IsWanted">False when it was deleted.</param>
/// <param name="ReportedPort">The port of its script if the registry has it as running, otherwise 0.</param>
public sealed record Assignment(SessionCopy Copy, string Rom, EmulatorOptions Options, bool IsWanted, int ReportedPort);

/// <summary>Where the script of a running copy is.</summary>
/// <param name="Copy">Which copy.</param>
/// <param name="Port">The script's port on the host.</param>
/// <param name="Nonce">Its nonce.</param>
/// <param name="Secret">Its secret.</param>
public sealed record RunningCopy(SessionCopy Copy, int Port, string Nonce, string Secret);

/// <summary>What happened in the fleet.</summary>
/// <param name="Id">Its number, which rises.</param>
/// <param name="At">When, by the database's clock.</param>
/// <param name="Kind">What, such as <c>session.placed</c>.</param>
/// <param name="Session">The session, or null.</param>
/// <param name="Generation">The session's generation, or null.</param>
/// <param name="Host">The host, or null.</param>
/// <param name="Detail">More about it, or empty.</param>
public sealed record FleetEvent(long Id, DateTimeOffset At, string Kind, string? Session, long? Generation, Guid? Host, string Detail);
