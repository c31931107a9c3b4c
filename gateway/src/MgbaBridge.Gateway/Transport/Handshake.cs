using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Transport;

/// <summary>Greets the script on a new connection: version, secret, nonce.</summary>
internal sealed class Handshake(EmulatorAddress wanted, Session session, MonotonicClock clock)
{
    private static readonly string Client = $"mGBA-bridge gateway {typeof(Handshake).Assembly.GetName().Version?.ToString(3)}";

    /// <summary>Waits for the script's answer, as long as it takes: a paused game answers when it goes on.</summary>
    public async Task<OpenOutcome> GreetAsync(Connection connection)
    {
        var outcome = wanted.Secret is { } secret
            ? await AuthenticateAsync(connection, new SecretProof(secret, session.Name))
            : await SayHelloAsync(connection);
        return Judge(connection, outcome);
    }

    /// <summary>Makes sure that it is an older script: it has to tell the game's frame.</summary>
    public async Task<OpenOutcome> GreetLegacyAsync(Connection connection, int port)
    {
        connection.SpeakLegacy();
        using var reply = await AskAsync(connection, new ReadCoreFrame());
        return reply.Failure switch
        {
            null => new OpenOutcome(connection, HelloReply.OfLegacy(port), null),
            { Failure: Failure.Rejected } => OpenOutcome.Failed(FailureText.Legacy(connection.Address)),
            { } failure => OpenOutcome.Failed(failure),
        };
    }

    // nothing but hello is sent before the script has proved that it knows the secret
    private async Task<OpenOutcome> AuthenticateAsync(Connection connection, SecretProof proof)
    {
        var outcome = await SayHelloAsync(connection, challenge: proof.Challenge);
        if (outcome.Failure is not { Code: "auth-required" } refusal)
        {
            return outcome switch
            {
                { Failure.Code: "bad-argument" } => OpenOutcome.Failed(FailureText.ScriptTooOld(connection.Address)),
                { Failure: null } => OpenOutcome.Failed(FailureText.ScriptWithoutSecret(connection.Address)),
                _ => outcome,
            };
        }

        var challenge = ChallengeIn(refusal);
        outcome = await SayHelloAsync(connection, proof: proof.ByClient(challenge));
        return outcome.Hello is { } hello && !proof.IsByScript(challenge, hello.Proof)
            ? OpenOutcome.Failed(FailureText.ScriptUnproven(connection.Address))
            : outcome;
    }

    private async Task<OpenOutcome> SayHelloAsync(Connection connection, string? challenge = null, string? proof = null)
    {
        using var reply = await AskAsync(connection, new Hello(Client, session.Name, challenge, proof));
        return reply.Failure is { } failure
            ? OpenOutcome.Failed(failure)
            : new OpenOutcome(connection, HelloReply.Parse(reply), null);
    }

    private async Task<Reply> AskAsync<TCommand>(Connection connection, TCommand command)
        where TCommand : struct, ICommand
    {
        var exchange = CommandExchange<TCommand>.Rent(command);
        exchange.Patient = true;
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
            { Failure.Code: FailureText.LegacyCode } => outcome,
            { Failure.Code: "auth-required" } => OpenOutcome.Failed(FailureText.SecretMissing(address)),
            { Failure.Code: "auth-failed" } => OpenOutcome.Failed(FailureText.SecretWrong(address)),
            { Failure: { Failure: Failure.WrongVersion, Code: not null } refusal } => OpenOutcome.Failed(FailureText.WrongVersion(address, refusal.Detail)),
            { Failure: { Failure: Failure.ConnectionLost } lost } => OpenOutcome.Failed(FailureText.ConnectFailed(address, $"it accepted the connection and then: {lost.Detail}")),
            _ => outcome,
        };
    }

    private static string ChallengeIn(FailureReport refusal)
    {
        var values = new ValueReader(refusal.Values.Span);
        return values.ReadTo("challenge"u8) ? values.GetText() : "";
    }
}
