using System.Net;
using System.Text;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Operations.Cartridge;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Cartridge;

public sealed class SensorOperationsTests
{
    private const string AtRest = """{"light":0,"level":0,"tilt":[0,0],"gyro":0,"camera":false}""";

    [Fact]
    public async Task Sensors_ShowWhatWasSet_UntilTheirHolderReleasesThem()
    {
        await using var play = await Play.StartAsync();
        Assert.Equal(AtRest, await ReadAsync(play));
        await play.SendAsync(HttpMethod.Put, "/v2/sensors", """{"light":0.8,"tilt":[10,-5.5],"gyro":30}""", "a");
        Assert.Equal("""{"light":0.8,"level":9,"tilt":[10,-5.5],"gyro":30,"camera":false}""", await ReadAsync(play));

        await play.SendAsync(HttpMethod.Put, "/v2/sensors", """{"level":10}""", "b");
        await play.SendAsync(HttpMethod.Delete, "/v2/sensors", holder: "a");
        Assert.Equal("""{"light":0.804,"level":10,"tilt":[0,0],"gyro":0,"camera":false}""", await ReadAsync(play));
        await play.SendAsync(HttpMethod.Delete, "/v2/sensors", holder: "b");
        Assert.Equal(AtRest, await ReadAsync(play));
    }

    [Fact]
    public async Task Sensors_OfASocket_EndWithIt()
    {
        await using var play = await Play.StartAsync();
        using (var socket = await WebSocketClient.OpenAsync(play.Gateway))
        {
            await socket.DoAsync("sensors.set", """{"tilt":[-90,90]}""");
            Assert.Equal("""{"light":0,"level":0,"tilt":[-90,90],"gyro":0,"camera":false}""", await ReadAsync(play));
        }

        await Eventually.IsAsync(async () => await ReadAsync(play) == AtRest);
    }

    [Fact]
    public async Task Sensors_AreAnItemOfABatch()
    {
        await using var play = await Play.StartAsync();
        var answer = await play.SendAsync(HttpMethod.Post, "/v2/batch", """{"items":[{"sensors":{"tilt":[10,0]}},{"tap":{"keys":["A"]}},{"sensors.get":{}}]}""");
        Assert.Equal("[10,0]", answer.GetProperty("results")[2].GetProperty("result").GetProperty("tilt").GetRawText());
    }

    [Theory]
    [InlineData("{}", "Write at least one of light, level, tilt and gyro")]
    [InlineData("""{"light":1.01}""", "light is 1.01; expected a number from 0 to 1")]
    [InlineData("""{"light":1e999}""", "light is 1e999; expected a number from 0 to 1")]
    [InlineData("""{"light":"NaN"}""", "light is \"NaN\"; expected a number from 0 to 1")]
    [InlineData("""{"level":11}""", "level is 11; expected an integer from 0 to 10")]
    [InlineData("""{"light":1,"level":10}""", "light and level are the same sensor")]
    [InlineData("""{"tilt":[90.1,0]}""", "tilt: 90.1 is out of range; expected two numbers from -90 to 90, as in [10, -5]")]
    [InlineData("""{"tilt":[1]}""", "expected two numbers")]
    [InlineData("""{"tilt":[1,2,3,4,5]}""", "expected two numbers")]
    [InlineData("""{"tilt":["NaN",0]}""", "expected two numbers")]
    [InlineData("""{"tilt":[[1],0]}""", "expected two numbers")]
    [InlineData("""{"gyro":-1000.5}""", "gyro is -1000.5; expected a number from -1000 to 1000")]
    public async Task Sensors_ThatCannotBe_AreRefusedWithTheRange(string body, string reason)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Put, "/v2/sensors", body, status: HttpStatusCode.BadRequest);
        Assert.Contains(reason, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(AtRest, await ReadAsync(play));
    }

    [Fact]
    public async Task Sequence_SetsSensorsForItsSteps()
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(game: "tilt.gb"));
        await play.SendAsync(HttpMethod.Put, "/v2/sensors", """{"tilt":[5,0]}""");
        var press = await play.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"A tilt 30/0 20, tilt -90/0 light 1 300"}""");
        Assert.Equal(320, press.GetProperty("up").GetInt64() - press.GetProperty("down").GetInt64());
        await play.WaitAsync(3);
        Assert.Equal("""{"light":0,"level":0,"tilt":[30,0],"gyro":0,"camera":false}""", await ReadAsync(play));
        Assert.Equal(0x81D0 - 56, await play.ReadAsync("0xC110", "u16"));
        await play.WaitAsync(20);
        Assert.Equal("""{"light":1,"level":10,"tilt":[-90,0],"gyro":0,"camera":false}""", await ReadAsync(play));
        await play.SendAsync(HttpMethod.Delete, "/v2/sensors");
        Assert.Equal(AtRest, await ReadAsync(play));

        await play.SendAsync(HttpMethod.Post, "/v2/batch", """{"items":[{"sequence":{"sequence":"gyro 7 60"}}]}""");
        Assert.Equal(AtRest.Replace("\"gyro\":0", "\"gyro\":7", StringComparison.Ordinal), await ReadAsync(play));
        await play.WaitAsync(62);
        Assert.Equal(AtRest, await ReadAsync(play));
        var wrong = await play.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"tilt 100/0 4"}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("\"tilt 100/0 4\" is not a step", wrong.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Camera_TakesThePictureThatItIsShown()
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(game: "camera.gb"));
        var halves = Halves();
        using (var shown = await play.RawAsync(HttpMethod.Put, "/v2/sensors/camera", Play.Bytes(CameraPicture.ToPng(halves)), "a"))
        {
            Assert.Equal(HttpStatusCode.OK, shown.StatusCode);
        }

        Assert.True((await play.GetAsync("/v2/sensors")).GetProperty("camera").GetBoolean());
        await TakePictureAsync(play, 1);
        var (left, right) = (await ColorAsync(play, 20), await ColorAsync(play, 140));
        Assert.Equal((0, 255), (left, right));

        await play.SendAsync(HttpMethod.Post, "/v2/batch", $$$"""{"items":[{"camera":{"bytes":"{{{Convert.ToBase64String(CameraPicture.ToPng([.. halves.Reverse()]))}}}"}}]}""", "b");
        await TakePictureAsync(play, 2);
        Assert.Equal((255, 0), (await ColorAsync(play, 20), await ColorAsync(play, 140)));

        await play.SendAsync(HttpMethod.Delete, "/v2/sensors", holder: "b");
        await play.SendAsync(HttpMethod.Delete, "/v2/sensors", holder: "a");
        Assert.Equal(AtRest, await ReadAsync(play));
        await TakePictureAsync(play, 3);
        Assert.Equal(0, await ColorAsync(play, 140));
    }

    [Theory]
    [InlineData("", "The picture is missing")]
    [InlineData("GIF89a", "These 6 bytes are no picture. Expected a PNG or JPEG")]
    public async Task Camera_IsShownNothingElse(string body, string reason)
    {
        await using var play = await Play.StartAsync();
        using var refused = await play.RawAsync(HttpMethod.Put, "/v2/sensors/camera", Play.Bytes(Encoding.ASCII.GetBytes(body)));
        Assert.Equal(HttpStatusCode.BadRequest, refused.StatusCode);
        Assert.Contains(reason, await refused.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Equal(AtRest, await ReadAsync(play));
    }

    [Fact]
    public void Levels_AreThoseOfTheirCounts()
    {
        Assert.Equal(Enumerable.Range(0, LightLevel.Max + 1), Enumerable.Range(0, LightLevel.Max + 1).Select(level => LightLevel.OfCount(LightLevel.CountOf(level))));
        Assert.Equal((0, 10), (LightLevel.OfCount(255), LightLevel.OfCount(0)));
    }

    /// <summary>A picture for a camera: its left half black, its right half white.</summary>
    internal static byte[] Halves() => [.. Enumerable.Range(0, CameraPicture.Width * CameraPicture.Height).Select(static at => at % CameraPicture.Width < CameraPicture.Width / 2 ? byte.MinValue : byte.MaxValue)];

    private static async Task TakePictureAsync(Play play, int count)
    {
        await play.WaitAsync(5);
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0xC10F/u8", """{"value":1}""");
        await play.SendAsync(HttpMethod.Post, "/v2/wait", $$"""{"condition":"0xC110 u16 == {{count}}","frames":300}""");
        await play.WaitAsync(3);
    }

    private static async Task<int> ColorAsync(Play play, int x)
    {
        using var screen = await play.RawAsync(HttpMethod.Get, "/v2/screen");
        Assert.True(PngFile.TryRead(await screen.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken), out var picture));
        using (picture)
        {
            return picture.Rgb.Slice(((80 * picture.Width) + x) * Picture.PixelSize).FirstSpan[0];
        }
    }

    private static async Task<string> ReadAsync(Play play)
    {
        var sensors = await play.GetAsync("/v2/sensors");
        return $"{{{string.Join(',', sensors.EnumerateObject().Where(static value => value.Name is not ("frame" or "epoch")).Select(static value => $"\"{value.Name}\":{value.Value.GetRawText()}"))}}}";
    }
}
