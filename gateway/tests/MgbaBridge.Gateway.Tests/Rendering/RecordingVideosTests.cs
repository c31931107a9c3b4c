using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Rendering;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Rendering;

public sealed class RecordingVideosTests
{
    [Fact]
    public async Task Videos_AreMadeOneAtATime_AndLeaveNothing()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        var recorded = await RecordAsync(gateway);
        var videos = gateway.Host.Services.GetRequiredService<RecordingVideos>();
        var rom = gateway.Supervisor.Find("1")!.Request.Rom;
        using var leaving = new CancellationTokenSource();
        var made = new TaskCompletionSource<string>();

        // the caller leaves while it takes the file
        var first = videos.MakeAsync(rom, new EmulatorOptions(), [recorded], VideoForm.Mkv, async (video, cancelled) =>
        {
            made.SetResult(video.File);
            await Task.Delay(Timeout.Infinite, cancelled);
        }, leaving.Token);
        await await Task.WhenAny(first, made.Task);
        Assert.True(File.Exists(await made.Task));
        var busy = await Assert.ThrowsAsync<RenderingException>(() => MakeAsync(recorded, CancellationToken.None));
        Assert.Equal(RenderingFailure.Busy, busy.Failure);
        await leaving.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        Assert.False(Directory.Exists(Path.GetDirectoryName(await made.Task)));

        // the caller leaves before the emulator has begun
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => MakeAsync(recorded, new CancellationToken(canceled: true)));
        Assert.True(await MakeAsync(recorded, TestContext.Current.CancellationToken) > 0);

        var tooLong = recorded with { Lines = [new RecordingLine { Frame = recorded.Header.Frame + 35_837 }] };
        Assert.Equal(RenderingFailure.TooLong, (await Assert.ThrowsAsync<RenderingException>(() => MakeAsync(tooLong, CancellationToken.None))).Failure);

        async Task<long> MakeAsync(RecordedGame game, CancellationToken cancelled)
        {
            long length = 0;
            await videos.MakeAsync(rom, new EmulatorOptions(), [game], VideoForm.Mkv, (video, _) =>
            {
                length = new FileInfo(video.File).Length;
                return Task.CompletedTask;
            }, cancelled);
            return length;
        }
    }

    [Fact]
    public async Task Video_LargerThanAllowed_IsNotMade()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        var recorded = await RecordAsync(gateway);
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-tests-");
        try
        {
            var thrown = await Assert.ThrowsAsync<RenderingException>(() => RecordingVideo.WriteAsync(
                gateway.Host.Services.GetRequiredService<Programs>(), gateway.Supervisor.Find("1")!.Request.Rom, new EmulatorOptions(), [recorded], Path.Combine(folder.FullName, "video.mkv"), folder.FullName, 100, TestContext.Current.CancellationToken));
            Assert.Equal("The video has more than 100 bytes.", thrown.Message);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<RecordedGame> RecordAsync(OwnedGateway gateway)
    {
        var id = (await gateway.SendAsync(HttpMethod.Post, "/v2/recordings", "{}")).GetProperty("id").GetString()!;
        await gateway.SendAsync(HttpMethod.Post, "/v2/wait", """{"frames":20}""");
        await gateway.SendAsync(HttpMethod.Post, $"/v2/recordings/{id}/stop");
        return RecordedGame.Parse(new(await gateway.Client.GetByteArrayAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken)), out _)!;
    }
}
