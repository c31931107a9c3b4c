#:package MgbaBridge.Client@*
#:property PublishAot=false
// Plays the test game without a gateway: see README.md.
using System.Buffers;
using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

var score = Location.Bus(0x02000094); // goes up by 17 with each press of A

// without a port: the first of 8888..8903 where a script answers
int? port = int.TryParse(Environment.GetEnvironmentVariable("LUA_PORT"), CultureInfo.InvariantCulture, out var number) ? number : null;
await using var game = EmulatorClient.Connect(port);

try
{
    // the game writes MBT1 when it has started
    var hasStarted = new MemoryTest(NumberType.U32, Location.Bus(0x02000000), Comparison.Eq, 827605581);
    using var started = await SendAsync(new Wait([[hasStarted]], Frames: 60));
    Must(Wait.Parse(started).Met, "This is not our test game.");

    var before = await ScoreAsync();
    using var state = await SendAsync(new SaveState());
    for (var press = 0; press < 5; press++)
    {
        // with Wait the reply comes when the key is up again
        using var pressed = await SendAsync(new TapKeys(KeySet.Parse("A"), Frames: 2, Wait: true));
    }

    var after = await ScoreAsync();
    Must(after - before == 85, $"The score went from {before} to {after}.");

    using var picture = await SendAsync(new ReadScreen());
    Must(picture.Tail.Span[1..4].SequenceEqual("PNG"u8), "The picture is not a PNG.");

    using var loaded = await SendAsync(new LoadState(new ReadOnlySequence<byte>(state.Tail)));
    Must(await ScoreAsync() == before, "The state did not bring the score back.");
    Console.WriteLine($"Five presses took the score from {before} to {after}, and the state took it back.");
    return 0;
}
catch (Exception exception) when (exception is RequestFailedException or InvalidOperationException)
{
    // a failure says in one sentence what went wrong and what to do about it
    Console.Error.WriteLine(exception.Message);
    return 1;
}

async Task<long> ScoreAsync()
{
    using var reply = await SendAsync(new ReadCell(score, CellWidth.Word));
    return ReadCell.Parse(reply);
}

async Task<Reply> SendAsync<TCommand>(TCommand command)
    where TCommand : struct, ICommand<TCommand> => (await game.SendAsync(command)).EnsureSuccess();

static void Must(bool holds, string sentence)
{
    if (!holds)
    {
        throw new InvalidOperationException(sentence);
    }
}
