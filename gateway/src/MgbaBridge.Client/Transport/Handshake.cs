using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>Performs the handshake on a new connection: version, secret, nonce.</summary>
internal sealed class Handshake(EmulatorAddress wanted, Session session, MonotonicClock clock)
{
    private static readonly Version OwnVersion = new(typeof(Handshake).Assembly.GetName().Version!.ToString(3));
    private static readonly string Client = $"mGBA-bridge gateway {OwnVersion}";

    /// <summary>Waits for the script's reply without a time limit: a paused game replies when it resumes.</summary>
    public async Task<OpenOutcome> PerformAsync(Connection connection)
    {
        var outcome = wanted.Secret is { } secret
            ? await AuthenticateAsync(connection, new SecretProof(secret, session.Name))
            : await SayHelloAsync(connection);
        return Judge(connection, outcome);
    }

    // nothing but hello is sent before the script has proved that it knows the secret
    private async Task<OpenOutcome> AuthenticateAsync(Connection connection, SecretProof proof)
    {
        var outcome = await SayHelloAsync(connection, challenge: proof.Challenge);
        if (outcome.Failure is not { Code: ErrorCode.AuthRequired } failure)
        {
            return outcome switch
            {
                { Failure.Code: ErrorCode.BadArgument } => OpenOutcome.Failed(FailureText.ScriptTooOld(connection.Address)),
                { Failure: null } => OpenOutcome.Failed(FailureText.ScriptWithoutSecret(connection.Address)),
                _ => outcome,
            };
        }

        var challenge = failure.TextOf("challenge"u8);
        outcome = await SayHelloAsync(connection, proof: proof.ByClient(challenge));
        return outcome.Hello is { } hello && !proof.IsByScript(challenge, hello.Proof)
            ? OpenOutcome.Failed(FailureText.ScriptUnproven(connection.Address))
            : outcome;
    }

    private async Task<OpenOutcome> SayHelloAsync(Connection connection, string? challenge = null, string? proof = null)
    {
        using var reply = await SendAsync(connection, new Hello(Client, session.Name, challenge, proof));
        return reply.Failure is { } failure
            ? OpenOutcome.Failed(failure)
            : new OpenOutcome(connection, HelloReply.Parse(reply), null);
    }

    private async Task<Reply> SendAsync<TCommand>(Connection connection, TCommand command)
        where TCommand : struct, ICommand<TCommand>
    {
        var exchange = CommandExchange<TCommand>.Rent(command);
        exchange.ExemptFromTimeout = true;
        Exchange.Prepare(exchange, session, null, default, clock.Now, long.MaxValue, CancellationToken.None);
        var awaitable = exchange.Awaitable;
        if (connection.TryStart(exchange, out _) != StartOutcome.Started)
        {
            exchange.EndAttempt(Reply.Failed(connection.ClosedBy ?? FailureText.Stopping()));
        }

        return await awaitable;
    }

    private OpenOutcome Judge(Connection connection, OpenOutcome outcome)
    {
        var address = connection.Address;
        return outcome switch
        {
            { Hello: { } hello } when wanted.Nonce is { } nonce && nonce != hello.Nonce => OpenOutcome.Failed(FailureText.OtherNonce(address, hello.Nonce)),
            { Hello: { } hello } when !wanted.TakesOtherVersions && hello.Script != OwnVersion.ToString() => OpenOutcome.Failed(FailureText.OtherVersion(address, hello.Script, OwnVersion)),
            { Failure.Code: ErrorCode.AuthRequired } => OpenOutcome.Failed(FailureText.SecretMissing(address)),
            { Failure.Code: ErrorCode.AuthFailed } => OpenOutcome.Failed(FailureText.SecretWrong(address)),
            { Failure: { Kind: CommandFailureKind.WrongVersion, Code: not null } failure } => OpenOutcome.Failed(FailureText.WrongVersion(address, failure.Detail)),
            { Failure: { Kind: CommandFailureKind.ConnectionLost } lost } => OpenOutcome.Failed(FailureText.ConnectFailed(address, $"it accepted the connection and then: {lost.Detail}")),
            _ => outcome,
        };
    }
}

/// <summary>The script's reply to hello.</summary>
public sealed record HelloReply
{
    /// <summary>The host <c>mgba-headless</c>.</summary>
    internal const string Headless = "headless";

    /// <summary>The script's version.</summary>
    public string Script { get; private init; } = "";

    /// <summary>mGBA's version; <c>0.10</c> if the engine does not report it.</summary>
    public string Mgba { get; private init; } = "";

    /// <summary><c>qt</c>, <c>headless</c> or <c>unknown</c>.</summary>
    public string Host { get; private init; } = "unknown";

    /// <summary>Random at each load, or what the starter of the emulator chose.</summary>
    public string Nonce { get; private init; } = "";

    /// <summary>The script's proof that it knows the secret; empty if it gave none.</summary>
    public string Proof { get; private init; } = "";

    /// <summary>The port the script listens on.</summary>
    public int Port { get; private init; }

    /// <summary>Whether a game is loaded.</summary>
    public bool Game { get; private init; }

    /// <summary>The game's internal title, or null.</summary>
    public string? Title { get; private init; }

    /// <summary>The game's code, or null.</summary>
    public string? Code { get; private init; }

    /// <summary>The game's CRC32, or null.</summary>
    public long? Crc32 { get; private init; }

    /// <summary><c>gba</c>, <c>gb</c> or <c>none</c>.</summary>
    public string Platform { get; private init; } = "none";

    /// <summary>Whether frames run: <c>running</c>, <c>paused</c>, <c>stopped</c>, <c>crashed</c> or <c>none</c>.</summary>
    public string Machine { get; private init; } = "running";

    /// <summary>Microseconds of a frame at the requested pace; 0 when it has no limit or is not known.</summary>
    public long Period { get; private init; }

    /// <summary>Why the save file does not have what was saved, or null.</summary>
    public string? SaveProblem { get; private init; }

    /// <summary>How often the game got save data of a client, or another save file.</summary>
    public long SavesSent { get; private init; }

    /// <summary>The holder of the lockstep lease, or null.</summary>
    public string? Lease { get; private init; }

    /// <summary>Whether the script resumed the session.</summary>
    public bool Resumed { get; private init; }

    /// <summary>The capabilities of the emulator (docs/protocol.md, section 8).</summary>
    public IReadOnlyList<string> Capabilities { get; private init; } = [];

    /// <summary>The folders whose files it opens, on its machine; empty for none.</summary>
    public IReadOnlyList<string> Folders { get; private init; } = [];

    /// <summary>The longest head that the script accepts.</summary>
    public int HeadLimit { get; private init; } = Limits.Head;

    /// <summary>The longest tail that the script accepts.</summary>
    public int TailLimit { get; private init; } = Limits.Tail;

    /// <summary>The number of concurrent requests that it accepts on a connection.</summary>
    public int InFlightLimit { get; private init; } = 256;

    /// <summary>The frame of the reply.</summary>
    public long Frame { get; private init; }

    /// <summary>The epoch at the time of the reply.</summary>
    public Epoch Epoch { get; private init; }

    /// <summary>Reads the reply.</summary>
    public static HelloReply Parse(Reply reply)
    {
        var hello = new HelloReply { Frame = reply.Frame, Epoch = reply.Epoch };
        var values = reply.Values;
        while (values.Read())
        {
            hello = hello.With(values.Name, values);
        }

        return hello;
    }

    private HelloReply With(ReadOnlySpan<byte> name, in ValueReader value) => name switch
    {
        _ when name.SequenceEqual("script"u8) => this with { Script = value.GetText() },
        _ when name.SequenceEqual("mgba"u8) => this with { Mgba = value.GetText() },
        _ when name.SequenceEqual("host"u8) => this with { Host = value.GetText() },
        _ when name.SequenceEqual("nonce"u8) => this with { Nonce = value.GetText() },
        _ when name.SequenceEqual("proof"u8) => this with { Proof = value.GetText() },
        _ when name.SequenceEqual("port"u8) => this with { Port = (int)value.Integer },
        _ when name.SequenceEqual("game"u8) => this with { Game = value.Boolean },
        _ when name.SequenceEqual("title"u8) => this with { Title = TextOrNull(value) },
        _ when name.SequenceEqual("code"u8) => this with { Code = TextOrNull(value) },
        _ when name.SequenceEqual("crc32"u8) => this with { Crc32 = value.Kind == ValueKind.Integer ? value.Integer : null },
        _ when name.SequenceEqual("platform"u8) => this with { Platform = value.GetText() },
        _ when name.SequenceEqual("machine"u8) => this with { Machine = value.GetText() },
        _ when name.SequenceEqual("period"u8) => this with { Period = value.Integer },
        _ when name.SequenceEqual("save_problem"u8) => this with { SaveProblem = TextOrNull(value) },
        _ when name.SequenceEqual("saves_sent"u8) => this with { SavesSent = value.Integer },
        _ when name.SequenceEqual("lease"u8) => this with { Lease = TextOrNull(value) },
        _ when name.SequenceEqual("resumed"u8) => this with { Resumed = value.Boolean },
        _ when name.SequenceEqual("capabilities"u8) => this with { Capabilities = value.GetText().Split(' ', StringSplitOptions.RemoveEmptyEntries) },
        _ when name.SequenceEqual("folders"u8) => this with { Folders = value.GetText().Split(';', StringSplitOptions.RemoveEmptyEntries) },
        _ when name.SequenceEqual("head"u8) => this with { HeadLimit = Limit(value, Limits.Head) },
        _ when name.SequenceEqual("tail"u8) => this with { TailLimit = Limit(value, Limits.Tail) },
        _ when name.SequenceEqual("inflight"u8) => this with { InFlightLimit = Limit(value, 256) },
        _ => this,
    };

    private static string? TextOrNull(in ValueReader value) => value.Kind == ValueKind.Nothing ? null : value.GetText();

    private static int Limit(in ValueReader value, int otherwise) =>
        value.Kind == ValueKind.Integer && value.Integer is > 0 and <= int.MaxValue ? (int)value.Integer : otherwise;
}

/// <summary>One mutual authentication: both sides prove that they know the secret, over the challenges of both, without sending it.</summary>
/// <param name="secret">The secret.</param>
/// <param name="session">The session named in hello; a proof counts for this session only.</param>
internal sealed class SecretProof(string secret, string session)
{
    /// <summary>The fewest characters of a secret: a shorter one can be found offline from one recorded exchange.</summary>
    public const int ShortestSecret = 16;

    /// <summary>The gateway's challenge, new for each connection.</summary>
    public string Challenge { get; } = RandomNumberGenerator.GetHexString(32, lowercase: true);

    /// <summary>The gateway's proof: the answer to the script's challenge.</summary>
    public string ByClient(string challenge) => By("client", challenge);

    /// <summary>Whether this is the script's proof. The role in the text keeps a copy of the gateway's own proof from counting.</summary>
    public bool IsByScript(string challenge, string proof) =>
        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(By("script", challenge)), Encoding.UTF8.GetBytes(proof));

    private string By(string role, string challenge) => Convert.ToHexStringLower(
        HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), Encoding.UTF8.GetBytes($"mgba-bridge {role} {Challenge} {challenge} {session}")));
}
