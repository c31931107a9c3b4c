using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Tests.Rendering;

public sealed class FfmpegTests
{
    [Fact]
    public void Environment_HasNoSecretsOfTheGateway()
    {
        const string secret = "MGBA_BRIDGE_TOKEN_OF_FFMPEG_TESTS";
        Environment.SetEnvironmentVariable(secret, "any");
        try
        {
            var passed = Ffmpeg.StartInfo().Environment;
            Assert.DoesNotContain(secret, passed.Keys);
            Assert.Contains("PATH", passed.Keys);
        }
        finally
        {
            Environment.SetEnvironmentVariable(secret, null);
        }
    }
}
